import Synchronization

/// The readers of events, by the events' names.
///
/// `SocketIOClient` has one: `on(_:)` adds a reader, and each event of the server is put once for all readers of its name,
/// from any thread. It can't fail: an event without a reader is dropped, and a full queue drops its oldest (`EventQueue`).
/// That no reader is resumed under the lock must stay (`EventBoardTests`). The names of the client's own events are public.
final class EventBoard: Sendable {
    private struct Reader {
        /// Compared by their bytes: equal names of Unicode with other bytes are other names.
        let names: Set<[UInt8]>
        let queue: EventQueue
    }

    private struct State {
        var readers: [Int: Reader] = [:]
        var lastReader = 0
    }

    /// The names of the client's own events, which no server can send.
    static let connect = Array("connect".utf8), disconnect = Array("disconnect".utf8)

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: The most events queued for a reader.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// A new reader; without a name, one that has ended.
    func events(_ names: [String]) -> SocketIOEvents {
        let (news, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let queue = EventQueue(capacity: capacity, news: continuation)
        let reader = Reader(names: Set(names.map { Array($0.utf8) }), queue: queue)
        let number = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = reader
            return state.lastReader
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        if names.isEmpty { queue.end() }
        return SocketIOEvents(queue: queue, news: news)
    }

    /// Queues an event for the readers of its name.
    func put(
        _ name: [UInt8],
        _ arguments: [ArraySlice<UInt8>],
        _ acknowledgement: SocketIOEvent.Acknowledgement?
    ) {
        let readers = state.withLock { state in
            let readers = state.readers.values.filter { $0.names.contains(name) }
            guard !readers.isEmpty else { return readers }
            let event = SocketIOEvent(
                name: String(decoding: name, as: UTF8.self),
                arguments: arguments.map { SocketIOArgument(json: $0) },
                missed: 0,
                acknowledgement: acknowledgement
            )
            for reader in readers { reader.queue.put(event) }
            return readers
        }
        // Not under the lock, which the end of a reader takes, too: a canceled task can't be resumed before it has ended its readers.
        for reader in readers { reader.queue.announce() }
    }

    /// Ends the readers of now.
    func end() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        // Not under the lock, which a reader's end takes, too.
        for reader in readers { reader.queue.end() }
    }

    private func remove(_ number: Int) {
        state.withLock { $0.readers[number] = nil }
    }
}
