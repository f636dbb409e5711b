/// The events of one name, as they come.
///
/// The sequence has a queue of its own: of more than ``SocketIOSettings/readerCapacity`` events that aren't read yet, the newest are
/// kept, and the next event says how many were dropped. It ends when ``SocketIOClient/run()`` ends, after what is queued, and when the
/// reader's task is canceled. Events are queued from the call of ``SocketIOClient/on(_:)`` on.
public struct SocketIOEvents: AsyncSequence, Sendable {
    /// An event before a reader sees it.
    struct Entry: Sendable {
        /// How many events of this name the reader was sent before.
        let ordinal: Int
        let arguments: [SocketIOArgument]
        let acknowledgement: SocketIOEvent.Acknowledgement?
    }

    let name: String
    let entries: AsyncStream<Entry>

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(name: name, entries: entries.makeAsyncIterator())
    }

    /// Reads the events of one name.
    public struct Iterator: AsyncIteratorProtocol {
        let name: String
        var entries: AsyncStream<Entry>.Iterator
        private var read = 0

        init(name: String, entries: AsyncStream<Entry>.Iterator) {
            (self.name, self.entries) = (name, entries)
        }

        /// Waits for the next event; `nil` at the end.
        public mutating func next() async -> SocketIOEvent? {
            await next(isolation: #isolation)
        }

        /// Waits for the next event; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SocketIOEvent? {
            guard let entry = await entries.next(isolation: actor) else { return nil }
            defer { read = entry.ordinal + 1 }
            return SocketIOEvent(
                name: name,
                arguments: entry.arguments,
                missed: entry.ordinal - read,
                acknowledgement: entry.acknowledgement
            )
        }
    }
}
