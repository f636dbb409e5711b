/// What an Engine.IO session does next, without a clock or a socket: both transports, the upgrade between
/// them, and the heartbeat.
///
/// A session begins on either transport. One that polls may be given a WebSocket as a candidate, which
/// becomes its transport after `2probe`, `3probe` and `5`; until then all goes by polling, and polls end at
/// once so that the client can let go of them.
package struct EngineSession: Sendable {
    package enum Transport: Hashable, Sendable {
        case polling
        case webSocket
    }

    /// Where a packet came from.
    package enum Source: Hashable, Sendable {
        case transport(Transport)
        case candidate
    }

    /// What to do about a packet.
    package enum Reaction: Hashable, Sendable {
        /// Hand the message on.
        case deliver
        /// Answer with a pong that carries the same.
        case answerPing
        /// Answer the candidate with the probe's pong, and a waiting poll with what ``takePoll()`` gives.
        case answerProbe
        /// Make the candidate the transport, answer a waiting poll, and send what was held.
        case upgrade
        /// The client is there: see ``heartbeatDelay``.
        case heard
        /// End the session: the client said so.
        case end
        /// End the session: the client may not do that.
        case refuse
        /// Cut the candidate off; the session goes on.
        case dropCandidate
        case ignore
    }

    /// What to do about a poll.
    package enum PollReaction: Hashable, Sendable {
        /// Keep it until there is something to say.
        case wait
        /// Answer it with what ``takePoll()`` gives.
        case answer
        /// Refuse it, for the session doesn't poll.
        case refuse
        /// End the session: two polls at once.
        case conflict
    }

    /// What to do with a packet to be sent.
    package enum SendReaction: Hashable, Sendable {
        /// Write it to the WebSocket.
        case write
        /// It is held; answer the waiting poll at the next flush.
        case hold
        /// End the session: the client doesn't poll often enough.
        case overflow
    }

    /// What to do when ``heartbeatDelay`` has passed.
    package enum HeartbeatReaction: Hashable, Sendable {
        case ping
        case wait
        case end
    }

    private enum Upgrade {
        case none
        case offered
        case probed
        case done
    }

    package let version: EngineVersion
    package private(set) var transport: Transport

    /// How many bytes wait for the next poll.
    package private(set) var heldBytes = 0

    private let pingInterval: Duration
    private let pingTimeout: Duration
    private let holdLimit: Int
    private var upgrade = Upgrade.none
    private var held: [EnginePacket] = []
    private var isPolled = false
    private var awaitsPong = false
    private var wasHeard = false

    /// - Parameters:
    ///   - version: The generation the client speaks.
    ///   - transport: What it begins with.
    ///   - pingInterval: The time from one heartbeat to the next.
    ///   - pingTimeout: How late a heartbeat may be.
    ///   - holdLimit: How many bytes may wait for the next poll.
    package init(
        version: EngineVersion,
        transport: Transport,
        pingInterval: Duration,
        pingTimeout: Duration,
        holdLimit: Int
    ) {
        self.version = version
        self.transport = transport
        self.pingInterval = pingInterval
        self.pingTimeout = pingTimeout
        self.holdLimit = holdLimit
        if transport == .webSocket { upgrade = .done }
    }

    // MARK: Receiving

    package mutating func receive(_ kind: EnginePacket.Kind, isProbe: Bool, from source: Source) -> Reaction {
        guard case .transport(let used) = source else { return receiveFromCandidate(kind, isProbe: isProbe) }
        guard used == transport else { return .ignore }
        wasHeard = true
        switch kind {
        case .message: return .deliver
        case .close: return .end
        case .ping: return version == .three ? .answerPing : .refuse
        case .pong: return receivePong()
        case .open, .upgrade, .noop: return .ignore
        }
    }

    private mutating func receivePong() -> Reaction {
        guard version == .four else { return .refuse }
        guard awaitsPong else { return .ignore }
        awaitsPong = false
        return .heard
    }

    private mutating func receiveFromCandidate(_ kind: EnginePacket.Kind, isProbe: Bool) -> Reaction {
        switch (upgrade, kind) {
        case (.offered, .ping) where isProbe:
            upgrade = .probed
            return .answerProbe
        case (.probed, .upgrade):
            upgrade = .done
            transport = .webSocket
            return .upgrade
        default:
            return .dropCandidate
        }
    }

    // MARK: Upgrading

    /// Whether a WebSocket may become a candidate.
    package var canUpgrade: Bool { upgrade == .none && transport == .polling }

    /// Takes a WebSocket as the candidate.
    ///
    /// - Returns: `false` if there is one already, or none is wanted.
    package mutating func offerCandidate() -> Bool {
        guard canUpgrade else { return false }
        upgrade = .offered
        return true
    }

    /// The candidate is gone.
    package mutating func dropCandidate() {
        if upgrade != .done { upgrade = .none }
    }

    // MARK: Polling

    package mutating func poll() -> PollReaction {
        guard transport == .polling else { return .refuse }
        guard !isPolled else { return .conflict }
        isPolled = true
        return held.isEmpty && upgrade != .probed ? .wait : .answer
    }

    /// The packets that the waiting poll is answered with, at least one; `nil` if no poll waits.
    package mutating func takePoll() -> [EnginePacket]? {
        guard isPolled else { return nil }
        isPolled = false
        // After the upgrade what was held goes to the WebSocket.
        guard transport == .polling, !held.isEmpty else { return [EnginePacket(.noop)] }
        return takeHeld()
    }

    /// What was held for a poll.
    package mutating func takeHeld() -> [EnginePacket] {
        heldBytes = 0
        defer { held.removeAll() }
        return held
    }

    /// Whether ``takePoll()`` would have something to say.
    package var hasAnswer: Bool { isPolled && !held.isEmpty }

    // MARK: Sending

    package mutating func send(_ packet: @autoclosure () -> EnginePacket) -> SendReaction {
        guard transport == .polling else { return .write }
        let packet = packet()
        // What a packet costs beyond its bytes counts too, so that many small ones are bounded.
        heldBytes += packet.data.count + 32
        guard heldBytes <= holdLimit else { return .overflow }
        held.append(packet)
        return .hold
    }

    // MARK: The heartbeat

    /// How long to wait before ``heartbeat()``; begins anew after `heard` and `answerPing`.
    package var heartbeatDelay: Duration {
        switch version {
        case .three: pingInterval + pingTimeout
        case .four: awaitsPong ? pingTimeout : pingInterval
        }
    }

    package mutating func heartbeat() -> HeartbeatReaction {
        switch version {
        case .three:
            defer { wasHeard = false }
            return wasHeard ? .wait : .end
        case .four:
            guard !awaitsPong else { return .end }
            awaitsPong = true
            return .ping
        }
    }

    /// The client's heartbeat was answered, so its silence is measured from now.
    package mutating func heartbeatRestarted() {
        wasHeard = false
    }
}
