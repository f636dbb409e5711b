import YonderJSON
import YonderLink
import YonderModel
import YonderWire

/// The client's side of one Engine.IO session: both transports, the upgrade between them, and the heartbeat.
///
/// A plain value: it is passed what happened, with a time of any clock, and returns what to do, in order.
///
/// ```
///                        socketOpened()      3probe ↓           last answer ↓
///   polling, none ─▶ opening ────────▶ probing ─────▶ pausing ───────────────▶ webSocket, done
///        ▲              │        2probe ↑  │             │              5 ↑
///        └──────────────┴──── failed ◀─────┴─────────────┘
/// ```
///
/// Invariants:
///
/// 1. At most one poll and one post are under way.
/// 2. Packets are sent in the order of ``send(_:)``, each once.
/// 3. `5` is sent after the answers to the last poll and the last post; until then no packet is sent on the WebSocket but `2probe`.
/// 4. A WebSocket that fails before `5` leaves the session polling; it isn't tried again in this session.
/// 5. A session in which the server is silent for longer than its handshake allows ends.
/// 6. After `end` there are no more steps.
/// 7. However many pings come, at most one pong is queued: for a post, or on a WebSocket that can't accept more.
///
/// `SocketConversation` has one for each connection, passes it what its shell (`SocketIOClient+Running.swift`) reads, and
/// carries its steps on. Nothing throws: whatever the server does wrong, and each transport that fails, becomes `end` with
/// the reason, after which the client connects again, or an upgrade that is given up. A call that doesn't fit the state
/// returns no steps.
///
/// The limits and times above may change. The order of the upgrade must stay, as a server loses packets otherwise; it is
/// tried with recordings and real servers of other projects (`EngineConversationTests`, `RecordedConversationTests`,
/// `LiveServerTests`).
struct EngineConversation: Sendable {
    enum Step: Hashable, Sendable {
        /// Ask for packets, and pass the answer to ``polled(_:at:)``.
        case poll(LinkRequest)
        /// Send packets, and pass the answer to ``posted(_:at:)``.
        case post(LinkRequest)
        /// Open a WebSocket; then call ``socketOpened()``, and ``socketClosed(_:at:)`` when it ended or couldn't be opened.
        case openSocket(StreamTarget)
        /// Write a text to the WebSocket.
        case write([UInt8])
        case closeSocket
        /// The session is open.
        case opened
        /// A message of text arrived.
        case deliver([UInt8])
        case end(Ending)
    }

    private enum Phase: Hashable {
        case opening, open, over
        case leaving(Ending)
    }

    private enum Upgrade {
        case none, opening, probing, pausing, done, failed
    }

    /// The most bytes of an answer, of a frame, and of what is sent at once.
    static let messageLimit = 1 << 20

    /// The most bytes queued while a post is under way, unless a single packet is longer.
    static let queueLimit = 256 << 10

    /// The longest time until the session is open, and until an upgrade is decided.
    static let patience = Duration.seconds(15)

    /// The longest time for the last post of a client that leaves.
    static let farewell = Duration.seconds(5)

    /// The most bytes of a ping's data that its pong repeats; the pong to a longer one has none.
    static let pingLimit = 64

    /// What a packet takes beside its data: its kind and its length, or the byte behind it.
    private static let overhead = 16

    private static let probe = Array("probe".utf8)

    /// How python-engineio, which sends no code, begins its refusal of a generation.
    private static let refusedVersion = "The client is using an unsupported version"

    private let settings: ConversationSettings
    private var phase = Phase.opening
    private var upgrade = Upgrade.none
    private var handshake: EngineHandshake?
    private var isPolling = false
    private var isPosting = false
    private var awaitsPong = false

    /// Whether a pong was written to a WebSocket that couldn't accept more, and nothing after it.
    private var isPongStuck = false

    /// Whether a ping came since the last one that was answered.
    private var hasUnansweredPing = false
    private var queue: [EnginePacket] = []
    private var queuedBytes = 0

    /// When the session ends, or, in generation 3, when the next ping is due.
    private var heartbeat = Duration.zero

    /// When an upgrade that isn't decided is given up.
    private var upgradeEnd: Duration?

    init(_ settings: ConversationSettings) {
        self.settings = settings
    }

    /// Begins to connect.
    mutating func begin(at now: Duration) -> [Step] {
        heartbeat = now + Self.patience
        guard settings.transports == .webSocket else { return poll() }
        upgrade = .done
        return [.openSocket(target)]
    }

    /// When ``tick(at:)`` is due; `nil` when the session is over.
    var deadline: Duration? {
        phase == .over ? nil : min(heartbeat, upgradeEnd ?? heartbeat)
    }

    /// Whether packets go over the WebSocket.
    var usesSocket: Bool { upgrade == .done }

    // MARK: - Sending

    /// The most bytes of a packet.
    var packetLimit: Int { payloadLimit - Self.overhead }

    /// Whether a packet of so many bytes can be queued now.
    func hasRoom(for bytes: Int) -> Bool {
        queue.isEmpty || queuedBytes + bytes + Self.overhead <= Self.queueLimit
    }

    /// Sends a packet, or queues it for the next post.
    mutating func send(_ packet: EnginePacket) -> [Step] {
        guard phase == .open else { return [] }
        if usesSocket {
            // A message is sent only to a WebSocket that can accept it.
            if packet.kind == .message { isPongStuck = false }
            return [.write(packet.webSocketMessage(version: settings.version))]
        }
        queue.append(packet)
        queuedBytes += packet.data.count + Self.overhead
        return post()
    }

    /// Closes the session, after what is queued is sent.
    mutating func leave(as ending: Ending = .left, at now: Duration) -> [Step] {
        guard phase == .open else { return end(ending) }
        let close = send(EnginePacket(.close))
        if usesSocket { return close + end(ending) }
        phase = .leaving(ending)
        heartbeat = now + Self.farewell
        return dropCandidate() + close + post()
    }

    /// Ends the session at once.
    mutating func end(_ ending: Ending) -> [Step] {
        guard phase != .over else { return [] }
        phase = .over
        return [.closeSocket, .end(ending)]
    }

    private var payloadLimit: Int { min(handshake?.maxPayload ?? Self.messageLimit, Self.messageLimit) }

    private mutating func post() -> [Step] {
        guard !isPosting, upgrade != .pausing, !queue.isEmpty, phase != .over else { return [] }
        var size = 0
        let batch = queue.prefix { packet in
            size += packet.data.count + Self.overhead
            return size <= payloadLimit || size == packet.data.count + Self.overhead
        }
        queue.removeFirst(batch.count)
        queuedBytes = queue.reduce(0) { $0 + $1.data.count + Self.overhead }
        isPosting = true
        let body = EnginePayload.body(of: Array(batch), version: settings.version, allowsBinary: false).bytes
        let type = LinkHeader("Content-Type", "text/plain;charset=UTF-8")
        let headers = settings.headers + [type]
        return [.post(LinkRequest(.post, path("polling"), headers: headers, body: body, limit: 4_096))]
    }

    private mutating func poll() -> [Step] {
        isPolling = true
        let headers = settings.headers
        var request = LinkRequest(.get, path("polling"), headers: headers, limit: Self.messageLimit)
        // The server may have sent its packets in an answer that was lost.
        request.isRepeatable = false
        return [.poll(request)]
    }

    private func path(_ transport: String) -> String {
        let session = handshake.map { "&sid=\($0.session)" } ?? ""
        return "\(settings.path)?EIO=\(settings.version.rawValue)&transport=\(transport)\(session)"
    }

    private var target: StreamTarget { StreamTarget(path: path("websocket")) }

    // MARK: - Polling

    /// Call this with the answer to a poll.
    mutating func polled(_ answer: Result<LinkAnswer, LinkClosure>, at now: Duration) -> [Step] {
        isPolling = false
        guard phase == .opening || phase == .open else { return [] }
        switch answer {
        case .failure(let closure): return end(.closed(closure))
        case .success(let answer) where answer.status != 200: return end(.closed(refusal(answer)))
        case .success(let answer):
            guard let packets = try? EnginePayload.packets(in: answer.body, version: settings.version) else {
                return fail("The server's answer to a poll doesn't consist of packets.")
            }
            return packets.flatMap { receive($0, at: now) } + continuePolling()
        }
    }

    /// Call this with the answer to a post.
    mutating func posted(_ answer: Result<LinkAnswer, LinkClosure>, at now: Duration) -> [Step] {
        isPosting = false
        if case .leaving(let ending) = phase { return queue.isEmpty ? end(ending) : post() }
        guard phase == .open else { return [] }
        switch answer {
        case .failure(let closure): return end(.closed(closure))
        case .success(let answer) where answer.status != 200: return end(.closed(refusal(answer)))
        case .success: return upgrade == .pausing ? switchTransport() : post()
        }
    }

    private mutating func continuePolling() -> [Step] {
        guard phase == .open, !usesSocket, !isPolling else { return [] }
        return upgrade == .pausing ? switchTransport() : poll()
    }

    private func refusal(_ answer: LinkAnswer) -> LinkClosure {
        let reason = "The server answered \(answer.status): \(answer.body.excerpt)"
        if phase == .opening, answer.status == 400, Self.refusesVersion(answer.body) {
            return .refused(SharingError(.unsupportedVersion, reason))
        }
        return answer.retryAfter.map { .later($0, reason) } ?? .lost(reason)
    }

    /// Whether a server of Engine.IO refuses the generation; it refuses other requests, and proxies do, with the same status.
    private static func refusesVersion(_ body: [UInt8]) -> Bool {
        struct Refusal: Decodable {
            let code: Int
        }
        let value = SocketIOArgument(json: body)
        if let refusal = try? value.decode(Refusal.self) { return refusal.code == 5 }
        return value.string?.hasPrefix(refusedVersion) ?? false
    }

    // MARK: - The WebSocket

    /// Call this when the WebSocket is open.
    mutating func socketOpened() -> [Step] {
        switch upgrade {
        case .opening where phase == .open:
            upgrade = .probing
            return [.write(EnginePacket(.ping, Self.probe).webSocketMessage(version: settings.version))]
        case .done where phase != .over: return []
        default: return [.closeSocket]
        }
    }

    /// Call this when a text came over the WebSocket, with whether the WebSocket can accept more.
    mutating func socketReceived(_ text: [UInt8], isWritable: Bool = true, at now: Duration) -> [Step] {
        guard phase == .opening || phase == .open else { return [] }
        let packet = EnginePacket(text: text)
        if usesSocket {
            guard let packet else { return fail("The server sent a frame that isn't a packet.") }
            return receive(packet, isWritable: isWritable, at: now)
        }
        guard upgrade == .probing, packet == EnginePacket(.pong, Self.probe) else { return dropCandidate() }
        upgrade = .pausing
        return switchTransport()
    }

    /// Call this when the WebSocket ended, or couldn't be opened.
    mutating func socketClosed(_ closure: LinkClosure, at now: Duration) -> [Step] {
        guard phase != .over else { return [] }
        switch upgrade {
        case .done: return end(.closed(closure))
        case .opening, .probing, .pausing: return dropCandidate()
        case .none, .failed: return []
        }
    }

    private mutating func switchTransport() -> [Step] {
        guard !isPolling, !isPosting else { return [] }
        upgrade = .done
        upgradeEnd = nil
        defer { (queue, queuedBytes) = ([], 0) }
        return ([EnginePacket(.upgrade)] + queue).map {
            .write($0.webSocketMessage(version: settings.version))
        }
    }

    private mutating func dropCandidate() -> [Step] {
        guard upgrade == .opening || upgrade == .probing || upgrade == .pausing else { return [] }
        upgrade = .failed
        upgradeEnd = nil
        return [.closeSocket] + post() + continuePolling()
    }

    // MARK: - Receiving

    private mutating func receive(_ packet: EnginePacket, isWritable: Bool = true, at now: Duration) -> [Step]
    {
        switch (phase, packet.kind) {
        case (.opening, .open): return open(packet, at: now)
        case (.opening, _): return fail("The server didn't open a session.")
        case (.open, .close): return fail("The server closed the session.")
        case (.open, .ping) where settings.version == .four:
            return answer(packet, isWritable: isWritable, at: now)
        case (.open, .pong) where settings.version == .three && awaitsPong:
            awaitsPong = false
            heartbeat = now + pingPause
            return []
        case (.open, .message) where !packet.isBinary: return [.deliver(packet.data)]
        default: return []
        }
    }

    /// Answers a ping, unless the pong before it is queued still: then the session ends when its heartbeat is over.
    private mutating func answer(_ ping: EnginePacket, isWritable: Bool, at now: Duration) -> [Step] {
        hasUnansweredPing = usesSocket ? isPongStuck && !isWritable : queue.contains { $0.kind == .pong }
        guard !hasUnansweredPing else { return [] }
        isPongStuck = usesSocket && !isWritable
        heartbeat = now + silence
        return send(EnginePacket(.pong, ping.data.count <= Self.pingLimit ? ping.data : []))
    }

    private mutating func open(_ packet: EnginePacket, at now: Duration) -> [Step] {
        guard let handshake = EngineHandshake(json: packet.data) else {
            return fail("The server's handshake can't be read.")
        }
        self.handshake = handshake
        phase = .open
        heartbeat = now + (settings.version == .four ? silence : pingPause)
        guard settings.transports == .pollingThenWebSocket, handshake.canUpgrade else { return [.opened] }
        upgrade = .opening
        upgradeEnd = now + Self.patience
        return [.opened, .openSocket(target)]
    }

    private mutating func fail(_ reason: String) -> [Step] {
        end(.closed(.lost(reason)))
    }

    // MARK: - Time

    /// The longest time between two pings of a server of generation 4.
    private var silence: Duration { handshake.map { $0.pingInterval + $0.pingTimeout } ?? .zero }

    /// The time between two pings of a client of generation 3: what the server says, but at least a tenth of a second.
    private var pingPause: Duration { max(handshake?.pingInterval ?? .zero, .milliseconds(100)) }

    /// Call this when the ``deadline`` has passed.
    mutating func tick(at now: Duration) -> [Step] {
        guard phase != .over else { return [] }
        let dropped = upgradeEnd.map { now >= $0 } ?? false ? dropCandidate() : []
        return dropped + (now >= heartbeat ? beat(at: now) : [])
    }

    private mutating func beat(at now: Duration) -> [Step] {
        switch phase {
        case .opening: return fail("The server didn't open a session in time.")
        case .leaving(let ending): return end(ending)
        case .over: return []
        case .open:
            guard settings.version == .three, !awaitsPong, let handshake else {
                return fail(
                    hasUnansweredPing
                        ? "No answer to the server's heartbeat could be sent in time."
                        : "The server sent no heartbeat in time."
                )
            }
            awaitsPong = true
            heartbeat = now + handshake.pingTimeout
            return send(EnginePacket(.ping))
        }
    }
}
