import NIOCore
import NIOHTTP1

/// Examines a connection's requests, and configures the connection for them.
///
/// For an ordinary request the HTTP handlers are added, and all requests go to them. An upgrade that the policy accepts is answered
/// with `101`, and every HTTP handler is removed. One that is refused, malformed or for another protocol is answered by the router,
/// and the connection closed, as after a request that can't be parsed (``RequestFault``).
///
/// An upgrade may also come after other requests; the HTTP handlers then stay in the channel, but receive nothing any more. NIO's
/// own upgrade handler drops a refused request, so that the client waits forever, and accepts an upgrade only as the first request.
final class FirstRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The time for which a refused client can still read the answer, before the connection is closed.
    private static let lingerTime = TimeAmount.seconds(2)

    private enum State {
        case waiting
        /// The policy decides; holds the parts of the request that have arrived.
        case deciding(WebSocketHandshake, [NIOAny], isFirst: Bool)
        /// Waits for the end of the request.
        case accepted(WebSocketHandshake, UpgradeDecision.Acceptance)
        /// The handlers are being replaced; holds the bytes that followed the request.
        case upgrading([NIOAny])
        case serving(ResponseTally)
        case finished
    }

    private let environment: Environment
    private var state = State.waiting
    private var isReadHeld = false

    /// Whether a request has begun and not ended.
    private var isReceiving = false

    /// Whether a body was invalid, so that nothing after it can be parsed.
    private var isBroken = false

    /// The fault of a request whose answer must wait until earlier requests are answered.
    private var fault: RequestFault?

    init(_ environment: Environment) {
        self.environment = environment
    }

    /// Whether all received requests are complete, and some are still being answered.
    var isAnswering: Bool {
        guard case .serving(let tally) = state else { return false }
        return !isReceiving && tally.unanswered > 0
    }

    /// Whether nothing more may be read or parsed: so many complete requests wait for an answer, or no further one is answered.
    var isFull: Bool {
        guard case .serving(let tally) = state else { return false }
        return fault != nil || !isReceiving && tally.isFull
    }

    /// Whether what arrives is of no use any more, and is dropped as it comes.
    var isFinished: Bool { if case .finished = state { true } else { false } }

    // MARK: Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .waiting, .deciding, .serving: note(unwrapInboundIn(data), context)
        case .accepted, .upgrading, .finished: break
        }
        switch state {
        case .waiting:
            receiveFirst(data, context)
        case .deciding(let handshake, let parts, let isFirst):
            state = .deciding(handshake, parts + [data], isFirst: isFirst)
        case .accepted(let handshake, let acceptance):
            guard case .end = unwrapInboundIn(data) else { return }
            upgrade(handshake, acceptance, context)
        case .upgrading(let bytes):
            state = .upgrading(bytes + [data])
        case .serving(let tally):
            serve(data, tally, context)
        case .finished:
            break
        }
    }

    /// Reads on, although the data is ignored.
    func channelReadComplete(context: ChannelHandlerContext) {
        environment.body.readCompleted()
        context.fireChannelReadComplete()
        if case .finished = state { context.read() }
    }

    /// Reads nothing while the policy decides or too many requests wait, so that little is queued until then.
    func read(context: ChannelHandlerContext) {
        switch state {
        case .deciding, .upgrading: isReadHeld = true
        case .serving where isFull: isReadHeld = true
        case .waiting, .accepted, .serving, .finished:
            environment.body.awaited()
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        let isInputClosed = if case .inputClosed? = event as? ChannelEvent { true } else { false }
        if isInputClosed { environment.presence.end() }
        guard case .serving = state else {
            if isInputClosed || event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
            return
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        environment.presence.end()
        environment.body.closed()
        settle(ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    /// A connection that ends before it begins never becomes inactive; only its handlers are removed.
    func handlerRemoved(context: ChannelHandlerContext) {
        settle(ChannelError.ioOnClosedChannel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (state, error as? HTTPParserError) {
        // After an error, the parser reports another one for all further bytes.
        case (.finished, _): break
        case (.serving, _) where isBroken: break
        case (.waiting, let error?): refuse(RequestFault(error), context)
        case (.serving(let tally), let error?) where !isReceiving:
            refuse(RequestFault(error), behind: tally, context)
        case (.serving(let tally), .some): endBody(error, tally, context)
        case (.serving, nil): context.fireErrorCaught(error)
        default: fail(error, context)
        }
    }

    /// Notifies the observers of a part.
    private func note(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        environment.handedOn(part)
        environment.body.received(part)
        switch part {
        case .head(let head):
            isReceiving = true
            environment.ticket?.began(head, from: context.remoteAddress)
        case .body: break
        case .end: isReceiving = false
        }
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .serving(var tally) = state else { return context.write(data, promise: promise) }
        environment.body.sent(unwrapOutboundIn(data))
        switch unwrapOutboundIn(data) {
        case .head(var head) where tally.isLast && head.status.code >= 200:
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            let wasFull = isFull
            let wasLast = tally.answered()
            state = .serving(tally)
            if tally.unanswered == 0 { environment.ticket?.ended() }
            guard wasLast else {
                context.write(data, promise: promise)
                if let fault, tally.isSettled { refuse(fault, context) }
                if wasFull { context.eventLoop.assumeIsolated().execute { self.goOn(context) } }
                return
            }
            context.writeAndFlush(data, promise: promise)
            if isBroken { linger(context) } else { context.close(promise: nil) }
        case .head, .body:
            context.write(data, promise: promise)
        }
    }

    // MARK: Deciding

    private func receiveFirst(_ data: NIOAny, _ context: ChannelHandlerContext) {
        guard case .head(let head) = unwrapInboundIn(data) else {
            return fail(HTTPParserError.invalidInternalState, context)
        }
        if let fault = RequestFault(of: head) { return refuse(fault, context) }
        guard let handshake = WebSocketHandshake(head) else { return serve([data], context) }

        decide(handshake, head, data, isFirst: true, context)
    }

    private func decide(
        _ handshake: WebSocketHandshake,
        _ head: HTTPRequestHead,
        _ data: NIOAny,
        isFirst: Bool,
        _ context: ChannelHandlerContext
    ) {
        state = .deciding(handshake, [data], isFirst: isFirst)
        let upgrade = UpgradeRequest(
            head: head,
            remoteAddress: context.remoteAddress,
            ticket: environment.ticket
        )
        let policy = environment.policy
        context.eventLoop.makeFutureWithTask { await policy(upgrade) }
            .assumeIsolated()
            .whenSuccess { self.decided($0, context) }
    }

    private func decided(_ decision: UpgradeDecision, _ context: ChannelHandlerContext) {
        guard case .deciding(let handshake, let parts, let isFirst) = state else { return }
        switch decision {
        case .refuse where isFirst:
            serve(parts, context)
        case .refuse:
            pass(parts, ResponseTally(), context)
        case .accept(let acceptance):
            state = .accepted(handshake, acceptance)
            for part in parts.dropFirst() { channelRead(context: context, data: part) }
        }
        resumeReading(context)
    }

    private func goOn(_ context: ChannelHandlerContext) {
        guard case .serving = state, fault == nil, !isBroken else { return }
        environment.parseOn()
        resumeReading(context)
    }

    private func resumeReading(_ context: ChannelHandlerContext) {
        guard isReadHeld else { return }
        isReadHeld = false
        read(context: context)
    }

    // MARK: HTTP

    private func serve(_ parts: [NIOAny], _ context: ChannelHandlerContext) {
        do {
            try environment.serveHTTP()
        } catch {
            return fail(error, context)
        }
        settle(nil)
        pass(parts, ResponseTally(), context)
    }

    private func pass(_ parts: [NIOAny], _ tally: ResponseTally, _ context: ChannelHandlerContext) {
        state = .serving(tally)
        for part in parts { pass(part, context) }
        context.fireChannelReadComplete()
    }

    private func serve(_ data: NIOAny, _ tally: ResponseTally, _ context: ChannelHandlerContext) {
        guard fault == nil else { return }
        if case .head(let head) = unwrapInboundIn(data), let fault = RequestFault(of: head) {
            return refuse(fault, behind: tally, context)
        }
        if tally.isSettled, case .head(let head) = unwrapInboundIn(data),
            let handshake = WebSocketHandshake(head)
        {
            decide(handshake, head, data, isFirst: false, context)
        } else {
            pass(data, context)
        }
    }

    private func pass(_ data: NIOAny, _ context: ChannelHandlerContext) {
        guard case .serving(var tally) = state, case .head(var head) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        // RFC 9110, section 7.8: of HTTP/1.0 an upgrade is ignored, for ever; whoever answers doesn't see the version.
        // The parser stops behind it all the same, so that its answer is the last.
        let asksForUpgrade = head.headers.contains(name: "Upgrade")
        tally.received(asksForUpgrade: asksForUpgrade)
        state = .serving(tally)
        guard asksForUpgrade, head.version != .http1_1 else { return context.fireChannelRead(data) }
        head.headers.remove(name: "Upgrade")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    // MARK: Refusing

    /// Refuses a request after the earlier ones are answered; further requests are ignored.
    private func refuse(
        _ fault: RequestFault,
        behind tally: ResponseTally,
        _ context: ChannelHandlerContext
    ) {
        if tally.isSettled { return refuse(fault, context) }
        self.fault = fault
    }

    private func refuse(_ fault: RequestFault, _ context: ChannelHandlerContext) {
        let answer = environment.answer(fault)
        let headers: HTTPHeaders = [
            "Connection": "close", "Content-Type": answer.contentType, "Cache-Control": "no-store",
            "Content-Length": String(answer.body.readableBytes),
        ]
        let head = HTTPResponseHead(version: .http1_1, status: fault.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        linger(context)
    }

    /// Sends nothing more, and ignores further data from the client for ``lingerTime``.
    ///
    /// Closing a socket with unread bytes resets the connection, and the client might never receive the
    /// answer.
    private func linger(_ context: ChannelHandlerContext) {
        state = .finished
        context.close(mode: .output, promise: nil)
        context.read()
        let eventLoop = context.eventLoop.assumeIsolated()
        // A client that closes at once leaves nothing: neither the pipeline nor what it has read.
        eventLoop.scheduleTask(in: Self.lingerTime) { [weak channel = context.channel] in
            channel?.close(promise: nil)
        }
    }

    /// Ends an invalid body: the endpoint gets an error, and its answer ends the connection.
    private func endBody(_ error: any Error, _ tally: ResponseTally, _ context: ChannelHandlerContext) {
        guard tally.unanswered > 0 else { return fail(error, context) }
        var tally = tally
        tally.endsHere()
        state = .serving(tally)
        isBroken = true
        context.fireErrorCaught(error)
    }

    // MARK: WebSocket

    private func upgrade(
        _ handshake: WebSocketHandshake,
        _ acceptance: UpgradeDecision.Acceptance,
        _ context: ChannelHandlerContext
    ) {
        state = .upgrading([])
        let pipeline = context.pipeline.syncOperations
        let head = handshake.acceptance(subprotocol: acceptance.subprotocol)
        // The removed decoder delivers the bytes that it has read beyond the request.
        pipeline.removeHandler(environment.decoder).assumeIsolated()
            .flatMap {
                context.write(self.wrapOutboundOut(.head(head)), promise: nil)
                return pipeline.removeHandler(self.environment.encoder)
            }
            .whenComplete { self.upgraded($0, acceptance, context) }
    }

    private func upgraded(
        _ result: Result<Void, any Error>,
        _ acceptance: UpgradeDecision.Acceptance,
        _ context: ChannelHandlerContext
    ) {
        guard case .upgrading(let bytes) = state else { return }
        do {
            try result.get()
            try environment.serveWebSocket(acceptance, self)
        } catch {
            return fail(error, context)
        }
        state = .finished
        settle(nil)
        for data in bytes { context.fireChannelRead(data) }
        if !bytes.isEmpty { context.fireChannelReadComplete() }
        resumeReading(context)
        // Flushed later, so that the head is sent together with the delegate's first messages.
        context.eventLoop.assumeIsolated().execute { [channel = context.channel] in channel.flush() }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    // MARK: Ending

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        state = .finished
        settle(error)
        context.close(promise: nil)
    }

    private func settle(_ error: (any Error)?) {
        environment.settled(error)
    }
}
