import YonderGeodesy
import YonderLocation

/// Keeps up the connection to a receiver while somebody listens, and decides what to do when it breaks.
///
/// A value: no clock, socket or lock, and chance comes from outside. ``ReceiverLoop`` does what it says.
struct ReceiverSession<Conversation: ReceiverConversation>: Sendable {
    /// What is to be done, in order.
    enum Action: Sendable {
        /// Make a connection; `opened` or `closed` follows.
        case open

        /// Send this.
        case send(String)

        /// Hang up, or give up connecting. Nothing that comes from that connection matters any more.
        case close

        /// Call `waited` after this time; takes the place of an earlier wait.
        case wait(Duration)

        /// Call `waited` after a random time between half of this and all of it; takes the place of an earlier wait.
        case retry(within: Duration)

        /// Forget the wait.
        case cancelWait

        /// Tell this.
        case report(LocationSourceEvent)
    }

    private enum Phase {
        case off, opening, open, waiting
    }

    /// What the program may do, as far as it is known.
    private(set) var authorization = LocationAuthorization.notDetermined

    private let timing: ReceiverTiming
    private var conversation: Conversation
    private var phase = Phase.off
    private var isStarted = false

    /// Whether somebody asked for permission and wasn't answered yet.
    private var isAsking = false
    private var failures = 0

    /// Why nothing more will come, if the source has come to its end.
    private var ending: LocationError?

    init(_ conversation: Conversation, timing: ReceiverTiming) {
        self.conversation = conversation
        self.timing = timing
    }

    /// Whether there is a connection.
    var isOpen: Bool { phase == .open }

    /// Somebody listens.
    mutating func start() -> [Action] {
        if let ending { return [.report(.failure(ending))] }
        isStarted = true
        // Whoever starts wants to know now, not when a long wait is over.
        return phase == .off || phase == .waiting ? open() : []
    }

    /// Nobody listens.
    mutating func stop() -> [Action] {
        isStarted = false
        return isAsking ? [] : powerDown()
    }

    /// Nobody listens, and nobody waits for an answer any more.
    mutating func abandon() -> [Action] {
        isStarted = false
        return powerDown()
    }

    /// Finds out what the program may do, if that isn't known, or whether it still may not.
    mutating func requestAuthorization() -> [Action] {
        guard authorization != .always, ending == nil else { return [] }
        isAsking = true
        return phase == .off ? open() : []
    }

    /// There is a connection.
    mutating func opened(at time: Timestamp) -> [Action] {
        guard phase == .opening else { return [] }
        phase = .open
        return [.wait(timing.silence)] + carryOut(conversation.open(at: time))
    }

    /// Something was said on the connection.
    mutating func received(_ bytes: Span<UInt8>, at time: Timestamp) -> [Action] {
        guard phase == .open else { return [] }
        return carryOut(conversation.read(bytes, at: time))
    }

    /// There is no connection, or no longer one.
    mutating func closed(_ failure: ConnectionFailure, at time: Timestamp) -> [Action] {
        guard phase == .opening || phase == .open else { return [] }
        let last = phase == .open ? carryOut(conversation.end(at: time)) : []
        // What was said last may have ended it all the same.
        guard phase == .opening || phase == .open else { return last }
        let report = Action.report(.failure(failure.error))
        switch failure.kind {
        case .lost: return last + authorize(.notDetermined) + [report] + retry()
        case .refused: return last + authorize(.denied) + [report] + retry()
        case .ended:
            ending = failure.error
            phase = .off
            return last + [.cancelWait, report]
        }
    }

    /// The wait is over.
    mutating func waited() -> [Action] {
        switch phase {
        case .waiting: return open()
        case .open:
            let actions = carryOut(conversation.tick())
            return phase == .open ? actions + [.wait(timing.silence)] : actions
        case .off, .opening: return []
        }
    }

    private mutating func open() -> [Action] {
        phase = .opening
        return [.cancelWait, .open]
    }

    private mutating func retry() -> [Action] {
        failures += 1
        // A refusal answers who only asks.
        if !isStarted, !isAsking {
            phase = .off
            return [.cancelWait]
        }
        phase = .waiting
        return [.retry(within: timing.retry(afterFailures: failures))]
    }

    private mutating func powerDown() -> [Action] {
        defer {
            phase = .off
            isAsking = false
            failures = 0
        }
        switch phase {
        case .off: return []
        case .waiting: return [.cancelWait]
        case .opening: return [.cancelWait, .close]
        case .open: return [.cancelWait] + (conversation.farewell.map { [.send($0)] } ?? []) + [.close]
        }
    }

    private mutating func carryOut(_ events: [ConversationEvent]) -> [Action] {
        var actions: [Action] = []
        for event in events where phase == .open { actions += carryOut(event) }
        return actions
    }

    private mutating func carryOut(_ event: ConversationEvent) -> [Action] {
        switch event {
        case .send(let text): return [.send(text)]
        case .failure(let error): return [.report(.failure(error))]
        case .positions(let positions): return isStarted ? [.report(.positions(positions))] : []
        case .lost(let error): return authorize(.notDetermined) + [.report(.failure(error))]
        case .hangUp(let error):
            return authorize(.notDetermined) + [.report(.failure(error)), .close] + retry()
        case .permitted: return permit()
        case .found:
            failures = 0
            return permit()
        }
    }

    private mutating func permit() -> [Action] {
        let actions = authorize(.always)
        return isStarted ? actions : actions + powerDown()
    }

    private mutating func authorize(_ authorization: LocationAuthorization) -> [Action] {
        if authorization != .notDetermined { isAsking = false }
        guard authorization != self.authorization else { return [] }
        self.authorization = authorization
        return [.report(.authorization(authorization))]
    }
}

/// Why there is no connection.
struct ConnectionFailure: Sendable {
    enum Kind {
        /// It couldn't be made, or it broke: it is tried again.
        case lost

        /// The operating system doesn't let this program; tried again, as that may change.
        case refused

        /// There is nothing more to come.
        case ended
    }

    var kind = Kind.lost

    /// What is told.
    var error: LocationError
}
