package import NIOCore
package import YonderWire

/// One Engine.IO session: performs the decisions of ``EngineSession``.
///
/// Its delegate sees a WebSocket, for polling too: one that is writable while a poll waits, so that whatever can be made when it is
/// fetched isn't queued. The delegate of a session that begins by polling is made at the client's first request after the handshake:
/// a handshake alone reaches nobody. Belongs to its event loop.
///
/// ``close()`` and every failure end the session once: `onEnd` is called, and whatever comes after is ignored. A packet that the
/// protocol forbids ends the session, and so does one beyond the rate; no bytes trap. What is sent while packets are handled that
/// came together is flushed once, after them. A heartbeat moves no timer of the loop.
package final class EngineConnection {
    package let eventLoop: any EventLoop

    /// The session's key, which must stay secret.
    let id: String

    /// The network of the client.
    package let network: String

    /// The session's number in a trace.
    let number: Int
    private let settings: EngineSettings
    private let allowsBinary: Bool
    private let onHold: (EngineConnection, _ bytes: Int?) -> Void
    private let onEnd: (EngineConnection) -> Void
    private var session: EngineSession
    private var makeDelegate: ((EngineConnection) -> any WebSocketDelegate)?
    private var delegate: (any WebSocketDelegate)?

    /// What the server was last told that waits for a client which doesn't poll.
    private var reportedBytes: Int?
    private var socket: EngineSocket?
    private var candidate: EngineSocket?
    private var poll: EventLoopPromise<[EnginePacket]?>?
    private var timer: PostponedTimer?
    private var upgradeTimer: Scheduled<Void>?
    private var rate: PacketRate
    private var isOver = false

    /// Whether packets are handled that came together.
    private var isReceiving = false

    init(
        id: String,
        number: Int,
        request: EngineRequest,
        version: EngineVersion,
        socket: EngineSocket?,
        network: String,
        eventLoop: any EventLoop,
        settings: EngineSettings,
        onHold: @escaping (EngineConnection, _ bytes: Int?) -> Void,
        onEnd: @escaping (EngineConnection) -> Void
    ) {
        self.id = id
        self.network = network
        self.number = number
        self.eventLoop = eventLoop
        self.settings = settings
        self.socket = socket
        self.onHold = onHold
        self.onEnd = onEnd
        allowsBinary = request.allowsBinary
        rate = PacketRate(burst: settings.packetBurst, perSecond: settings.packetsPerSecond)
        session = EngineSession(
            version: version,
            transport: socket == nil ? .polling : .webSocket,
            pingInterval: settings.pingInterval,
            pingTimeout: settings.pingTimeout,
            holdLimit: settings.holdLimit
        )
    }

    /// The protocol generation of the client.
    package var version: EngineVersion { session.version }

    /// Whether the client can receive more; one that polls can while a poll waits.
    package var isWritable: Bool {
        if let socket { return socket.isWritable }
        return session.isPolled && session.heldBytes < settings.holdMark
    }

    /// Whether the client polls.
    package var isPolling: Bool { socket == nil }

    // MARK: Opening

    /// The first packet, which opens the session.
    var greeting: EnginePacket { settings.greeting(of: id, canUpgrade: socket == nil) }

    /// Starts the session: with the first packet to a client that began with a WebSocket, or waiting for the first request of one
    /// that polls.
    func start(delegate make: @escaping (EngineConnection) -> any WebSocketDelegate) {
        trace(.sent, greeting)
        timer = PostponedTimer(on: eventLoop) { self.heartbeat() }
        startTimer()
        makeDelegate = make
        guard let socket else { return report() }
        socket.write(greeting.frame(for: version))
        begin()
        flush()
    }

    /// Makes the delegate, at the first request.
    private func begin() {
        guard let make = makeDelegate else { return }
        makeDelegate = nil
        let made = make(self)
        if isOver { made.closed() } else { delegate = made }
    }

    // MARK: Sending

    /// Queues a text message, which must be UTF-8.
    package func send(text: [UInt8]) {
        send(EnginePacket(.message, text))
    }

    /// Queues a binary message.
    package func send(binary: [UInt8]) { send(EnginePacket(.message, binary, isBinary: true)) }

    /// Queues complete WebSocket text frames, one packet each; the buffer may be shared with other sessions.
    package func write(_ frames: ByteBuffer) {
        guard !isOver else { return }
        if let socket, settings.trace == nil { return socket.write(frames) }
        var rest = frames
        while let text = TextFrame.read(from: &rest) {
            if let packet = EnginePacket(text: text.readableBytesView) { send(packet) }
        }
    }

    /// Sends the queued packets; while packets are handled that came together, after the last of them.
    package func flush() {
        guard !isReceiving else { return }
        if let socket { return socket.flush() }
        if session.hasAnswer { answerPoll() } else { report() }
    }

    /// Ends the session.
    package func close() {
        end(telling: EnginePacket(.close))
    }

    private func send(_ packet: EnginePacket) {
        guard !isOver else { return }
        trace(.sent, packet)
        switch session.send(packet) {
        case .write: socket?.write(packet.frame(for: version))
        case .hold: break
        case .overflow: end(telling: EnginePacket(.close))
        }
    }

    private func trace(_ way: PacketTrace.Way, _ packet: EnginePacket) {
        settings.trace?(
            PacketTrace(session: number, way, packet.kind, packet.data, isBinary: packet.isBinary)
        )
    }

    // MARK: Receiving

    /// Handles events of a WebSocket that came together.
    func handle(_ events: [EngineSocketEvent], from id: ObjectIdentifier) {
        together { for event in events { handle(event, from: id) } }
    }

    private func together<Result>(_ body: () -> Result) -> Result {
        isReceiving = true
        let result = body()
        isReceiving = false
        if !isOver { flush() }
        return result
    }

    /// Handles an event of a WebSocket.
    func handle(_ event: EngineSocketEvent, from id: ObjectIdentifier) {
        guard !isOver else { return }
        let isCandidate = candidate?.id == id
        guard isCandidate || socket?.id == id else { return }
        switch event {
        case .text(let text): receive(text: text, isCandidate: isCandidate)
        case .binary(let bytes): receive(binary: bytes, isCandidate: isCandidate)
        case .writability(let isWritable): writabilityChanged(isWritable, isCandidate: isCandidate)
        case .closed: if isCandidate { dropCandidate() } else { end(telling: nil) }
        }
    }

    /// Handles the packets of a request's body.
    ///
    /// - Returns: Whether all of them were valid; if not, the session has ended.
    func receive(_ packets: [EnginePacket]) -> Bool {
        guard session.transport == .polling, !isOver else { return false }
        begin()
        return together {
            packets.allSatisfy { packet in
                var data = ByteBuffer(bytes: packet.data)
                return receive(packet.kind, &data, isBinary: packet.isBinary, from: .transport(.polling))
            }
        }
    }

    private func receive(text: ByteBuffer, isCandidate: Bool) {
        var data = text
        guard let digit: UInt8 = data.readInteger(), let kind = EnginePacket.Kind(digit: digit) else {
            return isCandidate ? dropCandidate() : close()
        }
        _ = receive(kind, &data, isBinary: false, from: isCandidate ? .candidate : .transport(.webSocket))
    }

    private func receive(binary: ByteBuffer, isCandidate: Bool) {
        var data = binary
        var kind: EnginePacket.Kind? = .message
        if version == .three { kind = data.readInteger().flatMap(EnginePacket.Kind.init(rawValue:)) }
        guard let kind, !isCandidate else { return isCandidate ? dropCandidate() : close() }
        _ = receive(kind, &data, isBinary: true, from: .transport(.webSocket))
    }

    /// Handles one packet.
    ///
    /// - Returns: `false` if the client may not send this packet now: by the protocol, or by the rate. The session has ended then.
    private func receive(
        _ kind: EnginePacket.Kind,
        _ data: inout ByteBuffer,
        isBinary: Bool,
        from source: EngineSession.Source
    ) -> Bool {
        guard rate.take(at: eventLoop.now) else {
            close()
            return false
        }
        settings.trace?(
            PacketTrace(session: number, .received, kind, data.readableBytesView, isBinary: isBinary)
        )
        let isProbe = kind == .ping && data.readableBytesView.elementsEqual("probe".utf8)
        switch session.receive(kind, isProbe: isProbe, from: source) {
        case .deliver where isBinary: delegate?.received(binary: data)
        case .deliver: delegate?.received(text: data)
        case .answerPing: answerPing(data)
        case .answerProbe: answerProbe()
        case .upgrade: upgrade()
        case .heard: startTimer()
        case .end: end(telling: nil)
        case .dropCandidate: dropCandidate()
        case .ignore: break
        case .refuse:
            close()
            return false
        }
        return true
    }

    private func writabilityChanged(_ isWritable: Bool, isCandidate: Bool) {
        guard !isCandidate else {
            candidate?.isWritable = isWritable
            return
        }
        socket?.isWritable = isWritable
        delegate?.writabilityChanged(isWritable: isWritable)
    }

    // MARK: Polling

    /// Handles a poll: answered with packets, or with `nil` if it is refused.
    func poll(_ promise: EventLoopPromise<[EnginePacket]?>) {
        guard !isOver else { return promise.succeed(nil) }
        switch session.poll() {
        case .refuse: promise.succeed(nil)
        case .wait, .answer:
            poll = promise
            report()
            begin()
            // What is made when it is fetched joins what is queued.
            delegate?.writabilityChanged(isWritable: true)
            if session.mustAnswer { answerPoll() }
        case .conflict:
            promise.succeed(nil)
            end(telling: EnginePacket(.close))
        }
    }

    /// Call this when a poll's client disconnected before the answer.
    func pollAbandoned() { if poll != nil { abandon() } }

    /// Ends the session of a client that polled and is gone.
    func abandon() {
        if session.transport == .polling { end(telling: nil) }
    }

    /// Encodes packets as a body for the client's protocol generation.
    func body(of packets: [EnginePacket]) -> (bytes: [UInt8], isBinary: Bool) {
        EnginePayload.body(of: packets, version: version, allowsBinary: allowsBinary)
    }

    private func answerPoll() {
        guard let packets = session.takePoll() else { return }
        // The others were traced when they were queued.
        for packet in packets where packet.kind == .noop { trace(.sent, packet) }
        poll?.succeed(packets)
        poll = nil
        report()
    }

    /// Tells the server what the session holds while its client neither polls nor has a WebSocket.
    private func report() {
        let isUnpolled = !isOver && session.transport == .polling && !session.isPolled
        let bytes = isUnpolled ? session.heldBytes : nil
        guard bytes != reportedBytes else { return }
        reportedBytes = bytes
        onHold(self, bytes)
    }

    // MARK: Upgrading

    /// Accepts a WebSocket as the candidate for an upgrade, or closes it if there is one.
    func offer(_ offered: EngineSocket) {
        guard !isOver, session.offerCandidate() else {
            return offered.close(WebSocketCloseCode.policyViolation, "The session has a WebSocket already.")
        }
        begin()
        candidate = offered
        upgradeTimer = eventLoop.assumeIsolated().scheduleTask(in: settings.upgradeTimeout) {
            self.dropCandidate()
        }
    }

    private func answerProbe() {
        let answer = EnginePacket(.pong, text: "probe")
        trace(.sent, answer)
        candidate?.write(answer.frame(for: version))
        candidate?.flush()
        answerPoll()
    }

    private func upgrade() {
        upgradeTimer?.cancel()
        socket = candidate
        candidate = nil
        answerPoll()
        for packet in session.takeHeld() { socket?.write(packet.frame(for: version)) }
        report()
        flush()
        delegate?.writabilityChanged(isWritable: isWritable)
    }

    private func dropCandidate() {
        upgradeTimer?.cancel()
        session.dropCandidate()
        candidate?.close(
            WebSocketCloseCode.policyViolation,
            "The WebSocket must send 2probe, then 5, in time."
        )
        candidate = nil
    }

    // MARK: The heartbeat

    private func answerPing(_ data: ByteBuffer) {
        session.heartbeatRestarted()
        startTimer()
        send(EnginePacket(.pong, Array(data.readableBytesView)))
        flush()
    }

    private func startTimer() { timer?.restart(in: TimeAmount(session.heartbeatDelay)) }

    private func heartbeat() {
        switch session.heartbeat() {
        case .end: return end(telling: EnginePacket(.close))
        case .wait: break
        case .ping:
            send(EnginePacket(.ping))
            flush()
        }
        if !isOver { startTimer() }
    }

    // MARK: Ending

    private func end(telling packet: EnginePacket?) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        upgradeTimer?.cancel()
        // A client that closed the session itself gets the packets queued for its poll, or an empty answer.
        if let packets = session.takePoll() {
            if let packet { trace(.sent, packet) }
            poll?.succeed(packet.map { [$0] } ?? packets)
        }
        poll = nil
        candidate?.close(WebSocketCloseCode.goingAway, "The session is over.")
        socket?.close(WebSocketCloseCode.normal, "")
        (candidate, socket) = (nil, nil)
        onEnd(self)
        let delegate = delegate
        (self.delegate, makeDelegate) = (nil, nil)
        delegate?.closed()
    }
}
