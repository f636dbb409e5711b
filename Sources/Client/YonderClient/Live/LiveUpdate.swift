public import YonderModel

/// An update of a live query: first the answer, then each change.
public enum LiveUpdate<List: Sendable, Change: Sendable>: Sendable {
    /// The whole list, which replaces the previous one: the first answer, and again if the reader fell too
    /// far behind.
    case list(List)
    /// A change since the previous update.
    case change(Change)
}

extension LiveUpdate: Equatable where List: Equatable, Change: Equatable {}

/// The updates of a live query, for one reader.
///
/// The sequence continues over lost connections, without a gap and without duplicates. A reader who falls far
/// behind gets the whole list as the next update. The sequence ends with the error that ended the query, or
/// when the task is canceled. The subscription lasts as long as this sequence, or its iterator.
///
/// `SharingClient`'s watches return one; `LiveFeed` fills it, and an app's task reads it. A query's own refusal, or the
/// client's end, is thrown once; a lost connection isn't. A reader that is slow gets a list in place of changes, never a gap.
/// Two readers of one sequence would share its updates: watch again for another one (`LiveFeedTests`, the SDK's model).
public struct LiveUpdates<List: Sendable, Change: Sendable>: AsyncSequence, Sendable {
    /// An update of the query.
    public typealias Element = LiveUpdate<List, Change>
    /// The error that ended the query.
    public typealias Failure = SharingError

    let take: @Sendable () async -> Result<Element?, SharingError>

    /// Begins to read; call this once, as the sequence has one reader.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(take: take)
    }

    /// Reads the updates.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let take: @Sendable () async -> Result<Element?, SharingError>

        /// The next update; `nil` once the task is canceled.
        ///
        /// - Throws: The error that ended the query.
        public mutating func next() async throws(SharingError) -> Element? {
            try await take().get()
        }

        /// The next update; `nil` once the task is canceled.
        ///
        /// - Throws: The error that ended the query.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SharingError)
            -> Element?
        {
            try await take().get()
        }
    }

    /// The updates, each passed through `transform`.
    func mapped<OtherList, OtherChange>(
        _ transform: @escaping @Sendable (Element) -> LiveUpdate<OtherList, OtherChange>?
    ) -> LiveUpdates<OtherList, OtherChange> {
        LiveUpdates<OtherList, OtherChange> { [take] in
            while true {
                switch await take() {
                case .failure(let error): return .failure(error)
                case .success(nil): return .success(nil)
                case .success(let update?):
                    if let transformed = transform(update) { return .success(transformed) }
                }
            }
        }
    }
}
