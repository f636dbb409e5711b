#if os(Linux)
import NIOCore
import NIOWebSocket

/// The text frames of a WebSocket, read in batches.
///
/// Belongs to its channel's event loop. At most ``capacity`` frames are queued; then nothing is read from the
/// socket until they are taken. The handler answers pings, and sends one when the server has been silent; a
/// server that stays silent is considered lost.
///
/// `WebSocketLink` adds one to its channel and calls ``next()`` for its reader; NIO calls the rest, on the event loop. A
/// second reader takes the place of the first, whose call fails. Every failure closes the channel, and is thrown once all
/// frames before it are read. ``capacity`` may change; that a full queue stops reading must stay, or a fast server would fill
/// the memory (`WebSocketFramesTests`, `LinkSuiteTests`).
final class WebSocketFrames: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    static let capacity = 256

    private var received: [[UInt8]] = []
    private var waiter: EventLoopPromise<[[UInt8]]>?
    private var closure: LinkClosure?
    private var holdsRead = false
    private var awaitsPong = false
    private var deadline: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    private var eventLoop: (any EventLoop)?

    /// - Parameter deadline: Closes the channel; canceled by the first text frame.
    init(deadline: Scheduled<Void>) {
        self.deadline = deadline
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        eventLoop = context.eventLoop
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(.lost("The connection is closed."))
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.lost("The server closed the connection."))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.lost("\(error)"))
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        awaitsPong = false
        switch frame.opcode {
        case .text:
            deadline?.cancel()
            deadline = nil
            received.append([UInt8](buffer: frame.unmaskedData))
            deliver()
        case .ping: write(.pong, frame.unmaskedData, context)
        case .connectionClose: close(frame, context)
        default: break
        }
    }

    func read(context: ChannelHandlerContext) {
        guard received.count < Self.capacity else {
            holdsRead = true
            return
        }
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case IdleStateHandler.IdleStateEvent.read = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        // A server isn't silent while the reader takes nothing, and nothing is read for it.
        guard !holdsRead else {
            awaitsPong = false
            return
        }
        guard !awaitsPong else {
            finish(.lost("The server sent nothing for too long, not even a pong."))
            return context.close(promise: nil)
        }
        awaitsPong = true
        write(.ping, ByteBuffer(), context)
    }

    /// The frames since the last call, or the next ones.
    ///
    /// After the connection ended, the remaining frames come first and then the reason.
    func next() -> EventLoopFuture<[[UInt8]]>? {
        guard let eventLoop else { return nil }
        let promise = eventLoop.makePromise(of: [[UInt8]].self)
        waiter?.fail(LinkClosure.lost("Another task reads this connection now."))
        waiter = promise
        deliver()
        return promise.futureResult
    }

    private func deliver() {
        guard let waiter else { return }
        if !received.isEmpty {
            self.waiter = nil
            let batch = received
            received = []
            waiter.succeed(batch)
            guard holdsRead else { return }
            holdsRead = false
            context?.read()
        } else if let closure {
            self.waiter = nil
            waiter.fail(closure)
        }
    }

    private func finish(_ closure: LinkClosure) {
        deadline?.cancel()
        deadline = nil
        if self.closure == nil { self.closure = closure }
        deliver()
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    private func close(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        var data = frame.unmaskedData
        let code = data.readInteger(as: UInt16.self)
        finish(LinkClosure(code: code, reason: String(buffer: data)))
        write(.connectionClose, frame.unmaskedData, context)
        context.close(promise: nil)
    }
}
#endif
