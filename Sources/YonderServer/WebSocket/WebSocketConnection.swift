package import NIOCore

/// One WebSocket, the server's end: bytes to messages on the way in, finished frames on the way out.
///
/// Belongs to its channel's event loop: every call comes from there. It is the last handler of its channel
/// and keeps its context, so that a frame goes straight to the socket. What the peer hasn't taken waits in
/// the channel; while that is above the water mark nothing more is read from the peer, and no message that was
/// read is handed on, so that one who asks without listening can't make it grow.
///
/// Who gets the messages may pause them, too. Then reading goes on until ``heldLimit`` bytes of messages are held,
/// so that pings among them are answered.
package final class WebSocketConnection: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = Never
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private enum Phase {
        case open
        /// We said that it ends, and wait for the peer to say so.
        case closing
        /// All is said; the peer's end of the connection is awaited, and what it still sends ignored.
        case draining
        case closed
    }

    package let eventLoop: any EventLoop

    /// Whether the peer takes what it is sent: `false` above the channel's high water mark.
    package private(set) var isWritable = true

    /// Where the heartbeat keeps this connection.
    var heartbeatSlot = 0

    private let settings: WebSocketSettings
    private let heartbeat: Heartbeat?
    private var delegate: (any WebSocketDelegate)?
    private var context: ChannelHandlerContext?
    private var assembler: MessageAssembler
    private var incomplete: ByteBuffer?
    private var liveness = Liveness()
    private var phase = Phase.open
    private var isReadHeld = false
    private var isReadingPaused = false

    /// What arrived and isn't handed on yet, in order; no control frame but a close is ever among it.
    private var held = CircularBuffer<Held>()
    private var heldBytes = 0
    private var isReceivingPaused = false
    private var isHandingOn = false

    /// Something that waits to be handed on.
    private enum Held {
        case text(ByteBuffer)
        case binary(ByteBuffer)
        case close(UInt16?)

        /// The bytes that it takes, reckoned.
        var size: Int {
            switch self {
            case .text(let bytes), .binary(let bytes): bytes.readableBytes + 64
            case .close: 64
            }
        }
    }

    /// How many bytes of messages are held before nothing more is read.
    static let heldLimit = 131_072
    private var isFlushDue = false
    private var cut: Scheduled<Void>?

    init(eventLoop: any EventLoop, settings: WebSocketSettings, heartbeat: Heartbeat? = nil) {
        self.eventLoop = eventLoop
        self.settings = settings
        self.heartbeat = heartbeat
        assembler = MessageAssembler(maxMessageSize: settings.maxMessageSize)
    }

    /// Says who the messages go to; before that there are none.
    func start(delegate: any WebSocketDelegate) {
        self.delegate = delegate
    }

    // MARK: Sending

    /// Writes a finished frame, or several joined; they leave with the next ``flush()``.
    package func write(_ frame: ByteBuffer) {
        guard phase == .open, let context else { return }
        context.write(wrapOutboundOut(frame), promise: nil)
    }

    package func flush() {
        context?.flush()
    }

    /// How many bytes wait for the peer to take them.
    package var bufferedBytes: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Says that the connection ends, and ends it when the peer agrees or has had its time.
    package func close(_ code: UInt16, _ reason: String) {
        guard phase == .open, let context else { return }
        write(OutboundFrame.close(code: code, reason: reason))
        context.flush()
        phase = .closing
        cutLater(context)
    }

    // MARK: The channel

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isWritable = context.channel.isWritable
        heartbeat?.add(self)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        liveness.heard()
        guard phase == .open || phase == .closing else { return }
        var bytes = unwrapInboundIn(data)
        if var before = incomplete {
            incomplete = nil
            before.writeBuffer(&bytes)
            bytes = before
        }
        receive(bytes, context)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        if isFlushDue {
            isFlushDue = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    package func read(context: ChannelHandlerContext) {
        if mayRead { context.read() } else { isReadHeld = true }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        readIfHeld(context)
        delegate?.writabilityChanged(isWritable: isWritable)
        handOnHeld()
        context.fireChannelWritabilityChanged()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            context.close(promise: nil)
        } else if event is ChannelShouldQuiesceEvent {
            close(WebSocketCloseCode.goingAway, "The server is going away.")
        } else if event is ConnectionCut {
            close(WebSocketCloseCode.tryAgainLater, "Too many connections.")
        }
        context.fireUserInboundEventTriggered(event)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    // MARK: Receiving

    private func receive(_ received: ByteBuffer, _ context: ChannelHandlerContext) {
        var bytes = received
        do throws(WebSocketViolation) {
            while phase == .open || phase == .closing, let event = try assembler.next(in: &bytes) {
                handle(event, context)
            }
            // A copy, for a slice would keep all that was read with it.
            if bytes.readableBytes > 0 { incomplete = ByteBuffer(bytes: bytes.readableBytesView) }
        } catch {
            finish(saying: OutboundFrame.close(code: error.code, reason: error.reason), context)
        }
    }

    private func handle(_ event: MessageAssembler.Event, _ context: ChannelHandlerContext) {
        switch event {
        case .text(let text) where phase == .open:
            if mustHold {
                hold(.text(ByteBuffer(bytes: text.readableBytesView)))
            } else {
                delegate?.received(text: text)
            }
        case .binary(let bytes) where phase == .open:
            if mustHold {
                hold(.binary(ByteBuffer(bytes: bytes.readableBytesView)))
            } else {
                delegate?.received(binary: bytes)
            }
        case .ping(let payload) where phase == .open: answer(OutboundFrame.pong(payload))
        case .close(let code) where phase == .open && !held.isEmpty: hold(.close(code))
        case .close(let code) where phase == .open: finish(saying: OutboundFrame.close(code: code), context)
        case .close: finish(saying: nil, context)
        case .text, .binary, .ping, .pong: break
        }
    }

    private func answer(_ frame: ByteBuffer) {
        // A peer that pings without reading is owed the last answer only (section 5.5.3).
        guard isWritable else { return }
        write(frame)
        isFlushDue = true
    }

    // MARK: Ending

    /// Sends the last frame and then no more, but stays until the peer closes its end: a socket closed with
    /// bytes unread resets the connection, and the peer might never see why.
    private func finish(saying frame: ByteBuffer?, _ context: ChannelHandlerContext) {
        guard phase == .open || phase == .closing else { return }
        if phase == .open, let frame { context.write(wrapOutboundOut(frame), promise: nil) }
        phase = .draining
        incomplete = nil
        dropHeld()
        context.flush()
        context.close(mode: .output, promise: nil)
        cutLater(context)
        readIfHeld(context)
    }

    private func cutLater(_ context: ChannelHandlerContext) {
        cut =
            cut
            ?? context.eventLoop.assumeIsolated().scheduleTask(in: settings.closeTimeout) {
                context.close(promise: nil)
            }
    }

    // MARK: Reading no faster than what is read is used

    /// Takes no more from the peer, beyond what has been read, until ``resumeReading()``.
    func pauseReading() {
        isReadingPaused = true
    }

    func resumeReading() {
        isReadingPaused = false
        if let context { readIfHeld(context) }
    }

    private var mayRead: Bool {
        phase != .open || (isWritable && !isReadingPaused && heldBytes < Self.heldLimit)
    }

    private func readIfHeld(_ context: ChannelHandlerContext) {
        guard isReadHeld, mayRead else { return }
        isReadHeld = false
        context.read()
    }

    // MARK: Handing messages on no faster than they are used

    /// Hands on no message until ``resumeReceiving()``; pings stay answered.
    package func pauseReceiving() {
        isReceivingPaused = true
    }

    /// Hands on what was held, and what comes.
    package func resumeReceiving() {
        isReceivingPaused = false
        handOnHeld()
    }

    private var mustHold: Bool { isReceivingPaused || !isWritable || !held.isEmpty }

    private func hold(_ message: Held) {
        held.append(message)
        heldBytes += message.size
    }

    private func handOnHeld() {
        // Who is handed a message may resume: the messages behind it still come after it.
        guard !isHandingOn, !held.isEmpty else { return }
        isHandingOn = true
        while phase == .open, !isReceivingPaused, isWritable, let message = held.popFirst() {
            heldBytes -= message.size
            handOn(message)
        }
        isHandingOn = false
        if let context { readIfHeld(context) }
    }

    private func handOn(_ message: Held) {
        switch message {
        case .text(let text): delegate?.received(text: text)
        case .binary(let bytes): delegate?.received(binary: bytes)
        case .close(let code):
            if let context { finish(saying: OutboundFrame.close(code: code), context) }
        }
    }

    private func dropHeld() {
        held.removeAll()
        heldBytes = 0
    }

    // MARK: The end

    private func end() {
        guard phase != .closed else { return }
        phase = .closed
        dropHeld()
        cut?.cancel()
        heartbeat?.remove(self)
        context = nil
        let delegate = delegate
        self.delegate = nil
        delegate?.closed()
    }

    // MARK: Liveness

    /// Called by the heartbeat once an interval.
    func look() {
        // Silence that this end causes says nothing about the peer.
        if isReadHeld, isWritable { liveness.heard() }
        switch liveness.look() {
        case .wait: break
        case .close: context?.close(promise: nil)
        case .ping:
            write(OutboundFrame.ping())
            flush()
        }
    }
}
