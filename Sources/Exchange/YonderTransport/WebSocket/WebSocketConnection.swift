package import NIOCore
import YonderWire

/// The server's end of one WebSocket: turns received bytes into messages, and writes complete frames.
///
/// Belongs to its channel's event loop: every call must come from there. It is the last handler of its
/// channel and keeps its context, so that a frame goes directly to the socket. Unsent bytes are queued in the
/// channel. While these exceed the high water mark, nothing more is read from the peer and no message is
/// delivered, so that a client that sends requests without reading answers can't grow the queue.
///
/// The delegate may pause delivery, too. Reading and parsing then continue until ``HeldMessages`` is full, so that pings among
/// the messages are answered. Received bytes beyond that are kept as they came, and parsed when there is room again.
///
/// What is written while received bytes are handled is sent once, when all of them are.
///
/// A violation of the protocol, a silent peer or an error of the channel closes it; the delegate is called once at its
/// end, and whatever is written afterward is dropped. Nothing is read while the outbox is full (decision 2).
package final class WebSocketConnection: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = Never
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private enum Phase {
        case open
        /// A close frame was sent; the peer's is awaited.
        case closing
        /// Both close frames are done; the peer's end of the connection is awaited, and further bytes are
        /// ignored.
        case draining
        case closed
    }

    package let eventLoop: any EventLoop

    /// Whether the peer can receive more: `false` above the channel's high water mark.
    package private(set) var isWritable = true

    /// The connection's slot in the heartbeat.
    var heartbeatSlot = 0

    private let settings: WebSocketSettings
    private let heartbeat: Heartbeat?
    private var delegate: (any WebSocketDelegate)?
    private var context: ChannelHandlerContext?

    /// The context from which frames are written: the handler's own, or one nearer to the socket.
    private var outlet: ChannelHandlerContext?
    private var assembler: MessageAssembler

    /// Received bytes that aren't parsed: a frame that hasn't come completely, or what came while too much was held.
    private var unparsed: ByteBuffer?
    private var liveness = Liveness()
    private var phase = Phase.open
    private var isReadHeld = false
    private var isReadingPaused = false

    /// Messages received and not yet delivered, in order; of control frames only a close can be among them.
    private var held = HeldMessages()
    private var isReceivingPaused = false
    private var isHandingOn = false

    /// Whether bytes are being received: the end of the channel's read cycle follows.
    private var isReceiving = false
    private var isFlushDue = false
    private var cut: Scheduled<Void>?

    init(eventLoop: any EventLoop, settings: WebSocketSettings, heartbeat: Heartbeat? = nil) {
        self.eventLoop = eventLoop
        self.settings = settings
        self.heartbeat = heartbeat
        assembler = MessageAssembler(maxMessageSize: settings.maxMessageSize)
    }

    /// Sets the delegate, which receives all messages from now on.
    func start(delegate: any WebSocketDelegate) {
        self.delegate = delegate
    }

    // MARK: Sending

    /// Writes one or several complete frames; the next ``flush()`` sends them.
    package func write(_ frame: ByteBuffer) {
        guard phase == .open, let outlet else { return }
        outlet.write(wrapOutboundOut(frame), promise: nil)
    }

    /// Sends what was written: now, or once all bytes are handled that were received.
    package func flush() {
        if isReceiving || isHandingOn { isFlushDue = true } else { outlet?.flush() }
    }

    private func flushIfDue() {
        guard isFlushDue else { return }
        isFlushDue = false
        outlet?.flush()
    }

    /// Sets the context from which frames are written, to save one call for each frame and handler between.
    ///
    /// - Parameter outlet: The context of a handler nearer to the socket; no handler between it and this one may handle writes.
    func write(from outlet: ChannelHandlerContext) {
        self.outlet = outlet
    }

    /// Sends a close frame, and closes the connection when the peer answers or after a timeout.
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
        outlet = context
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
        isReceiving = true
        var bytes = unwrapInboundIn(data)
        guard var before = unparsed else { return parse(bytes, isOwn: false, context) }
        unparsed = nil
        before.writeBuffer(&bytes)
        parse(consume before, isOwn: true, context)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        isReceiving = false
        flushIfDue()
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

    /// Handles messages until bytes are lacking or as much is held as may be, and keeps the rest; `isOwn` says that the bytes' storage is
    /// used by nobody else.
    private func parse(_ bytes: consuming ByteBuffer, isOwn: Bool, _ context: ChannelHandlerContext) {
        do throws(WebSocketViolation) {
            while mayParse, let event = try assembler.next(in: &bytes) { handle(event, context) }
        } catch {
            return finish(saying: OutboundFrame.close(code: error.code, reason: error.reason), context)
        }
        guard bytes.readableBytes > 0, phase == .open || phase == .closing else { return }
        // A slice would keep the whole read buffer. Storage that is half parsed is left, so that each byte is copied twice at most.
        let staysInPlace = isOwn && bytes.readableBytes > bytes.storageCapacity / 2
        unparsed = staysInPlace ? bytes : ByteBuffer(bytes: bytes.readableBytesView)
    }

    private var mayParse: Bool { phase == .closing || (phase == .open && !held.isFull) }

    private func parseOn(_ context: ChannelHandlerContext) {
        guard mayParse, let bytes = unparsed else { return }
        unparsed = nil
        parse(consume bytes, isOwn: true, context)
    }

    private func handle(_ event: MessageAssembler.Event, _ context: ChannelHandlerContext) {
        switch event {
        case .text(let text) where phase == .open:
            if mustHold {
                held.append(.text(ByteBuffer(bytes: text.readableBytesView)))
            } else {
                delegate?.received(text: text)
            }
        case .binary(let bytes) where phase == .open:
            if mustHold {
                held.append(.binary(ByteBuffer(bytes: bytes.readableBytesView)))
            } else {
                delegate?.received(binary: bytes)
            }
        case .ping(let payload) where phase == .open: answer(OutboundFrame.pong(payload))
        case .close(let code) where phase == .open && !held.isEmpty: held.append(.close(code))
        case .close(let code) where phase == .open: finish(saying: OutboundFrame.close(code: code), context)
        case .close: finish(saying: nil, context)
        case .text, .binary, .ping, .pong: break
        }
    }

    private func answer(_ frame: ByteBuffer) {
        // A peer that pings without reading gets only the last answer (section 5.5.3).
        guard isWritable else { return }
        write(frame)
        isFlushDue = true
    }

    // MARK: Ending

    /// Sends the last frame, and waits until the peer closes its end.
    ///
    /// Closing a socket with unread bytes resets the connection, and the peer might never receive the reason.
    private func finish(saying frame: ByteBuffer?, _ context: ChannelHandlerContext) {
        guard phase == .open || phase == .closing else { return }
        if phase == .open, let frame { context.write(wrapOutboundOut(frame), promise: nil) }
        phase = .draining
        unparsed = nil
        held.removeAll()
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

    // MARK: Backpressure on reading

    /// Stops reading from the peer, beyond what was already read, until ``resumeReading()``.
    func pauseReading() {
        isReadingPaused = true
    }

    func resumeReading() {
        isReadingPaused = false
        if let context { readIfHeld(context) }
    }

    private var mayRead: Bool {
        phase != .open || (isWritable && !isReadingPaused && !held.isFull)
    }

    private func readIfHeld(_ context: ChannelHandlerContext) {
        guard isReadHeld, mayRead else { return }
        isReadHeld = false
        context.read()
    }

    // MARK: Backpressure on delivery

    /// Stops delivering messages until ``resumeReceiving()``; pings are still answered.
    package func pauseReceiving() {
        isReceivingPaused = true
    }

    /// Delivers the queued messages, and those that follow.
    package func resumeReceiving() {
        isReceivingPaused = false
        handOnHeld()
    }

    private var mustHold: Bool { isReceivingPaused || !isWritable || !held.isEmpty }

    private var mayHandOn: Bool { phase == .open && !isReceivingPaused && isWritable }

    private func handOnHeld() {
        // The delegate may resume during a delivery: the order of the queued messages must stay.
        guard !isHandingOn, !held.isEmpty, let context else { return }
        isHandingOn = true
        repeat {
            while mayHandOn, let message = held.popFirst() { handOn(message) }
            parseOn(context)
            if !isReceiving { flushIfDue() }
        } while mayHandOn && !held.isEmpty
        isHandingOn = false
        if let context = self.context { readIfHeld(context) }
    }

    private func handOn(_ message: HeldMessages.Message) {
        switch message {
        case .text(let text): delegate?.received(text: text)
        case .binary(let bytes): delegate?.received(binary: bytes)
        case .close(let code):
            if let context { finish(saying: OutboundFrame.close(code: code), context) }
        }
    }

    // MARK: After the end

    private func end() {
        guard phase != .closed else { return }
        phase = .closed
        unparsed = nil
        held.removeAll()
        cut?.cancel()
        heartbeat?.remove(self)
        context = nil
        outlet = nil
        let delegate = delegate
        self.delegate = nil
        delegate?.closed()
    }

    // MARK: Liveness

    /// Called by the heartbeat once an interval.
    func look() {
        // This end isn't reading, so the silence isn't the peer's.
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
