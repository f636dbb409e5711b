public import YonderModel

/// What a live query says: the answer first, then what changed.
public enum LiveUpdate<List: Sendable, Change: Sendable>: Sendable {
    /// All of it, in place of what was there: the first answer, and again whenever the reader fell too far behind.
    case list(List)
    /// What changed since.
    case change(Change)
}

extension LiveUpdate: Equatable where List: Equatable, Change: Equatable {}

/// A live query's updates, for one reader.
///
/// It goes on over lost connections without a gap and without a duplicate. A reader who falls far behind skips to now:
/// the next update is the list. It ends with the error that ended the query, and when the task is canceled. The
/// subscription lasts as long as this, or its iterator.
public struct LiveUpdates<List: Sendable, Change: Sendable>: AsyncSequence, Sendable {
    /// What the query says.
    public typealias Element = LiveUpdate<List, Change>
    /// Why it ended.
    public typealias Failure = SharingError

    let take: @Sendable () async -> Result<Element?, SharingError>

    /// Begins to read; only one reader may.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(take: take)
    }

    /// Reads updates.
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

    /// The same updates, each as `transform` has it.
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
