/// Decides the next step of an Engine.IO session: both transports, the upgrade between them, and the
/// heartbeat.
///
/// A plain value without a clock and a socket. A session begins on either transport. One that polls may get a
/// WebSocket as a candidate, which becomes its transport after `2probe`, `3probe` and `5`; until then packets
/// still go by polling, and polls are answered at once so that the client can stop polling.
///
/// ```
///                    offerCandidate()          2probe ↓ 3probe ↑           5 ↓
///   polling, none ──────────────────▶ offered ─────────────────▶ probed ─────────▶ webSocket, done
///        ▲                               │                          │                    ▲
///        └──── dropCandidate() ◀─────────┴──────────────────────────┘                    │
///   a session that begins on a WebSocket ────────────────────────────────────────────────┘
/// ```
///
/// Invariants:
///
/// 1. A session has one transport; a packet from the other one is ignored.
/// 2. At most one poll waits: a second one ends the session, and a poll after the upgrade is refused.
/// 3. A queued packet leaves once: with a poll, or with the upgrade to the WebSocket.
/// 4. The queue has at most `holdLimit` bytes, each packet as it lies in memory: a packet above that ends the session.
/// 5. A candidate may send `2probe`, then `5`; anything else closes the candidate, and the session goes on polling.
/// 6. A client whose heartbeat fails is disconnected, at most twice `pingInterval + pingTimeout` after the last one.
///
/// Only a poll shows that a client fetches what is queued. Pings, pongs and messages that it posts don't: a session that isn't
/// polled for its time is ended by the server, which counts these sessions.
///
/// A call that doesn't fit the state returns `ignore`, `refuse`, `conflict` or `end`; nothing throws. The intervals and `holdLimit`
/// come from the server's settings. The reactions must stay, as Socket.IO clients of other projects depend on them.
package struct EngineSession: Sendable {
    package enum Transport: Hashable, Sendable {
        case polling
        case webSocket
    }

    /// The transport or candidate from which a packet came.
    package enum Source: Hashable, Sendable {
        case transport(Transport)
        case candidate
    }

    /// The action for a received packet.
    package enum Reaction: Hashable, Sendable {
        /// Deliver the message.
        case deliver
        /// Answer with a pong that has the same content.
        case answerPing
        /// Answer the candidate with the probe's pong, and a waiting poll with ``takePoll()``.
        case answerProbe
        /// Make the candidate the transport, answer a waiting poll, and send the queued packets.
        case upgrade
        /// The client is alive: see ``heartbeatDelay``.
        case heard
        /// End the session: the client closed it.
        case end
        /// End the session: the client isn't permitted to send that.
        case refuse
        /// Close the candidate; the session continues.
        case dropCandidate
        case ignore
    }

    /// The action for a poll.
    package enum PollReaction: Hashable, Sendable {
        /// Keep the poll until there is a packet to send.
        case wait
        /// Answer the poll with ``takePoll()``.
        case answer
        /// Refuse the poll: the session doesn't poll.
        case refuse
        /// End the session: there are two polls at once.
        case conflict
    }

    /// The action for a packet to be sent.
    package enum SendReaction: Hashable, Sendable {
        /// Write it to the WebSocket.
        case write
        /// The packet is queued; answer the waiting poll at the next flush.
        case hold
        /// End the session: the queue is full because the client doesn't poll often enough.
        case overflow
    }

    /// The action when ``heartbeatDelay`` has passed.
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

    /// The memory of what is queued for the next poll, in bytes.
    package private(set) var heldBytes = 0

    private let pingInterval: Duration
    private let pingTimeout: Duration
    private let holdLimit: Int
    private var upgrade = Upgrade.none
    private var held: [EnginePacket] = []

    /// Whether a poll waits for its answer.
    package private(set) var isPolled = false
    private var awaitsPong = false
    private var wasHeard = false

    /// - Parameters:
    ///   - version: The client's protocol generation.
    ///   - transport: The first transport.
    ///   - pingInterval: The time from one heartbeat to the next.
    ///   - pingTimeout: How late a heartbeat may be.
    ///   - holdLimit: The most bytes queued for the next poll.
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

    /// Accepts a WebSocket as the candidate.
    ///
    /// - Returns: `false` if there is a candidate already, or the session can't be upgraded.
    package mutating func offerCandidate() -> Bool {
        guard canUpgrade else { return false }
        upgrade = .offered
        return true
    }

    /// Call this when the candidate is closed.
    package mutating func dropCandidate() {
        if upgrade != .done { upgrade = .none }
    }

    // MARK: Polling

    package mutating func poll() -> PollReaction {
        guard transport == .polling else { return .refuse }
        guard !isPolled else { return .conflict }
        isPolled = true
        return mustAnswer ? .answer : .wait
    }

    /// The packets that answer the waiting poll, at least one; `nil` if no poll waits.
    package mutating func takePoll() -> [EnginePacket]? {
        guard isPolled else { return nil }
        isPolled = false
        // After the upgrade the queued packets go to the WebSocket.
        guard transport == .polling, !held.isEmpty else { return [EnginePacket(.noop)] }
        return takeHeld()
    }

    /// Returns the packets queued for a poll, and clears the queue.
    package mutating func takeHeld() -> [EnginePacket] {
        heldBytes = 0
        defer { held.removeAll() }
        return held
    }

    /// Whether a poll waits that has to be answered now: with queued packets, or because the client changes to its WebSocket.
    package var mustAnswer: Bool { isPolled && (!held.isEmpty || upgrade == .probed) }

    /// Whether ``takePoll()`` would return queued packets.
    package var hasAnswer: Bool { isPolled && !held.isEmpty }

    // MARK: Sending

    package mutating func send(_ packet: @autoclosure () -> EnginePacket) -> SendReaction {
        guard transport == .polling else { return .write }
        let packet = packet()
        heldBytes += packet.memory
        guard heldBytes <= holdLimit else { return .overflow }
        held.append(packet)
        return .hold
    }

    // MARK: The heartbeat

    /// The time to wait before ``heartbeat()``; restarts after `heard` and `answerPing`.
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

    /// Call this when the client's ping was answered: its silence is measured from now.
    package mutating func heartbeatRestarted() {
        wasHeard = false
    }
}
