import Synchronization
import YonderWire

/// The readers of events, by the events' names.
final class EventBoard: Sendable {
    private struct Reader {
        let events: AsyncStream<SocketIOEvents.Entry>.Continuation
        var count = 0
    }

    private struct State {
        /// By the names' bytes: equal names of Unicode with other bytes are other names.
        var readers: [[UInt8]: [Int: Reader]] = [:]
        var lastReader = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: The most events queued for a reader.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// A new reader.
    func events(_ name: String) -> SocketIOEvents {
        let (entries, continuation) = AsyncStream.makeStream(
            of: SocketIOEvents.Entry.self,
            bufferingPolicy: .bufferingNewest(capacity)
        )
        let key = Array(name.utf8)
        let number = state.withLock { state in
            state.lastReader += 1
            state.readers[key, default: [:]][state.lastReader] = Reader(events: continuation)
            return state.lastReader
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number, key) }
        return SocketIOEvents(name: name, entries: entries)
    }

    /// Queues an event for the readers of its name.
    func put(_ event: SocketEvent, _ acknowledgement: SocketIOEvent.Acknowledgement?) {
        state.withLock { state in
            guard let readers = state.readers[event.name] else { return }
            let arguments = event.arguments.map { SocketIOArgument(json: $0) }
            for (number, reader) in readers {
                let entry = SocketIOEvents.Entry(
                    ordinal: reader.count,
                    arguments: arguments,
                    acknowledgement: acknowledgement
                )
                reader.events.yield(entry)
                state.readers[event.name]?[number]?.count += 1
            }
        }
    }

    /// Ends the readers of now.
    func end() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            return state.readers.values.flatMap(\.values)
        }
        // Not under the lock, which a reader's end takes, too.
        for reader in readers { reader.events.finish() }
    }

    private func remove(_ number: Int, _ key: [UInt8]) {
        state.withLock { state in
            state.readers[key]?[number] = nil
            if state.readers[key]?.isEmpty ?? false { state.readers[key] = nil }
        }
    }
}
