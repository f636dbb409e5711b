import Synchronization

/// The events that a reader hasn't read yet, in their order.
///
/// Invariants:
///
/// 1. At most `capacity` events are queued, and events of at most ``byteLimit`` bytes, or a single one.
/// 2. Beyond, the oldest are dropped, and the event after them says how many.
///
/// `EventBoard` makes one for each reader; the board puts events, the reader takes them, on any thread. It can't fail.
/// ``byteLimit`` may change with the documentation of `SocketIOEvents`. That putting and resuming are two calls must stay: a
/// reader may not be resumed under the board's lock (`EventBoardTests`, `SocketIOClientTests`).
final class EventQueue: Sendable {
    /// The most bytes of a reader's events: eight times the longest frame.
    static let byteLimit = 8 << 20

    private struct State {
        /// The events by their numbers, which follow one another.
        var events: [Int: SocketIOEvent] = [:]
        var first = 0
        var bytes = 0
        var missed = 0

        mutating func removeFirst() -> SocketIOEvent? {
            guard let event = events.removeValue(forKey: first) else { return nil }
            first += 1
            bytes -= event.cost
            return event
        }
    }

    private let capacity: Int
    private let news: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    /// - Parameters:
    ///   - capacity: The most events.
    ///   - news: Is sent a value by ``announce()``.
    init(capacity: Int, news: AsyncStream<Void>.Continuation) {
        (self.capacity, self.news) = (capacity, news)
    }

    /// Queues an event, without resuming the reader.
    func put(_ event: SocketIOEvent) {
        state.withLock { state in
            while !state.events.isEmpty,
                state.events.count >= capacity || state.bytes + event.cost > Self.byteLimit
            {
                if state.removeFirst() != nil { state.missed += 1 }
            }
            state.events[state.first + state.events.count] = event
            state.bytes += event.cost
        }
    }

    /// Resumes the reader, which then removes what is queued.
    func announce() { news.yield() }

    /// Removes the oldest event, if there is one.
    func next() -> SocketIOEvent? {
        state.withLock { state in
            guard let event = state.removeFirst() else { return nil }
            defer { state.missed = 0 }
            return event.after(missed: state.missed)
        }
    }

    /// Ends the reader, after what is queued.
    func end() { news.finish() }
}

extension SocketIOEvent {
    /// About how many bytes the event takes, with what the system adds to each value.
    fileprivate var cost: Int { arguments.reduce(128 + name.utf8.count) { $0 + $1.json.count + 64 } }

    fileprivate func after(missed: Int) -> SocketIOEvent {
        SocketIOEvent(name: name, arguments: arguments, missed: missed, acknowledgement: acknowledgement)
    }
}
