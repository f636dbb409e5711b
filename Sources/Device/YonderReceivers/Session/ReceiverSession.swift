import YonderGeodesy
import YonderLocation

/// Keeps the connection to a receiver while the source is started, and decides what to do when it fails.
///
/// A plain value without a clock, a socket, a lock and random numbers. ``ReceiverLoop`` has one, for a `GpsdSource` or an
/// `NMEASource`, calls it on its event loop, and performs the returned actions in their order. The source's calls become
/// ``start()``, ``stop()``, ``requestAuthorization()`` and ``abandon()``; the connection's events ``opened(at:)``,
/// ``received(_:at:)`` and ``closed(_:at:)``; the timer's ``waited()``.
///
/// Each may come at any time and repeatedly: one that doesn't fit the state returns no actions. No call fails. A connection
/// that breaks or is refused is reported and opened again, after a wait that grows with each failure; a source that has
/// ended, as standard input does, isn't opened again, and each ``start()`` reports why.
///
/// What the bytes mean is decided in the conversation, how long to wait in ``ReceiverTiming``; the phases are private. What
/// a listener receives must stay: the tables of ``GpsdSource`` and ``NMEASource`` promise it, and `SourceConformanceTests`
/// tries it.
///
/// Phases and the order of a farewell may change with the tests beside them (`GpsdSessionTests`, `NMEASessionTests`).
struct ReceiverSession<Conversation: ReceiverConversation>: Sendable {
    /// The actions to perform, in order.
    enum Action: Sendable {
        /// Open a connection; a call of `opened` or `closed` follows.
        case open

        /// Send this text.
        case send(String)

        /// Close the connection, or stop connecting. Later events of that connection are ignored.
        case close

        /// Call `waited` after this time; replaces an earlier wait.
        case wait(Duration)

        /// Call `waited` after a random time between half of this and all of it; replaces an earlier wait.
        case retry(within: Duration)

        /// Cancel the wait.
        case cancelWait

        /// Send this event to the receiver of events.
        case report(LocationSourceEvent)
    }

    private enum Phase {
        /// No connection, and none is wanted.
        case off
        /// A connection was asked for, and `opened` or `closed` hasn't followed.
        case opening
        /// There is a connection; the timer measures its silence.
        case open
        /// The last connection failed; the timer ends the wait for the next.
        case waiting
    }

    /// The permission, as far as known.
    private(set) var authorization = LocationAuthorization.notDetermined

    private let timing: ReceiverTiming
    private var conversation: Conversation
    private var phase = Phase.off
    private var isStarted = false

    /// Whether a request for permission is still unanswered.
    private var isAsking = false

    /// How many connections have failed in a row; 0 once the receiver was found.
    private var failures = 0

    /// The reason why no more data will arrive, if the source has ended.
    private var ending: LocationError?

    init(_ conversation: Conversation, timing: ReceiverTiming) {
        self.conversation = conversation
        self.timing = timing
    }

    /// Whether the connection is open.
    var isOpen: Bool { phase == .open }

    /// Call this when the source is started: opens a connection at once, also in place of a wait.
    mutating func start() -> [Action] {
        if let ending { return [.report(.failure(ending))] }
        isStarted = true
        // A new listener wants an answer now, and not after a long wait.
        return phase == .off || phase == .waiting ? open() : []
    }

    /// Call this when the source is stopped: closes the connection, unless a request for permission waits for it.
    mutating func stop() -> [Action] {
        isStarted = false
        return isAsking ? [] : powerDown()
    }

    /// Call this when the source was released: no caller waits for permission any more either.
    mutating func abandon() -> [Action] {
        isStarted = false
        return powerDown()
    }

    /// Checks the access to the receiver if it is unknown, and checks again if it was denied.
    ///
    /// Returns no actions if access was given, or after the source has ended: then no report follows.
    mutating func requestAuthorization() -> [Action] {
        guard authorization != .always, ending == nil else { return [] }
        isAsking = true
        return phase == .off ? open() : []
    }

    /// Call this when the connection is open.
    mutating func opened(at time: Timestamp) -> [Action] {
        guard phase == .opening else { return [] }
        phase = .open
        return [.wait(timing.silence)] + carryOut(conversation.open(at: time))
    }

    /// Call this when data has arrived.
    mutating func received(_ bytes: Span<UInt8>, at time: Timestamp) -> [Action] {
        guard phase == .open else { return [] }
        return carryOut(conversation.read(bytes, at: time))
    }

    /// Call this when the connection failed or ended, with the events of its last data in front of the failure.
    mutating func closed(_ failure: ConnectionFailure, at time: Timestamp) -> [Action] {
        guard phase == .opening || phase == .open else { return [] }
        let last = phase == .open ? carryOut(conversation.end(at: time)) : []
        // The last data may have ended the session.
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

    /// Call this when the wait is over: connects again, or has the conversation react to the silence.
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
        // Without a listener, a refusal is the answer to the request for permission; a lost connection isn't, and the request
        // goes on.
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

/// The reason why there is no connection.
struct ConnectionFailure: Sendable {
    enum Kind {
        /// The connection failed or broke; the session tries again.
        case lost

        /// The operating system denies access; the session tries again, as that may change.
        case refused

        /// The source has ended.
        case ended
    }

    var kind = Kind.lost

    /// The error to report to the source's listener.
    var error: LocationError
}
