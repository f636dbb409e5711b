/// The events of one or more names, in the order in which they come.
///
/// The sequence has a queue of its own: of more than ``SocketIOSettings/readerCapacity`` events that aren't read yet, or of more than
/// 8 MiB of them, the newest are kept, and the next event says how many were dropped. It ends when ``SocketIOClient/run()`` ends, after
/// what is queued, and when the reader's task is canceled. Events are queued from the call of ``SocketIOClient/on(_:)`` on.
///
/// `SocketIOClient.on(_:)` returns one; one task of the app reads it. It never throws (`EventBoardTests`,
/// `SocketIOClientTests`).
public struct SocketIOEvents: AsyncSequence, Sendable {
    let queue: EventQueue

    /// A value for what was queued since the last one was read.
    let news: AsyncStream<Void>

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(queue: queue, news: news.makeAsyncIterator())
    }

    /// Reads the events.
    public struct Iterator: AsyncIteratorProtocol {
        let queue: EventQueue
        var news: AsyncStream<Void>.Iterator

        /// Waits for the next event; `nil` at the end.
        public mutating func next() async -> SocketIOEvent? {
            await next(isolation: #isolation)
        }

        /// Waits for the next event; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SocketIOEvent? {
            while true {
                if let event = queue.next() { return event }
                // What was queued before the end is read after it.
                guard await news.next(isolation: actor) != nil else { return queue.next() }
            }
        }
    }
}
