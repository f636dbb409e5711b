package import NIOCore
import NIOHTTP1

/// Sets up clients' connections: HTTP or a WebSocket, depending on the requests.
///
/// ``FirstRequestHandler`` decides about each connection; the server's HTTP handlers are added by a function. A request that can't be
/// parsed is answered with what `answer` returns, and the connection is closed; a connection beyond the gate's limits is closed.
///
/// The first request decides before the server's HTTP handlers are added, and the HTTP encoder is removed before a WebSocket's bytes
/// (decision 6).
package struct ClientConnections: Sendable {
    /// The settings for a client's connection.
    package struct Settings: Sendable {
        /// The time allowed for the head of the first request.
        package var headerTimeout: TimeAmount = .seconds(10)

        /// The time that an HTTP connection may be idle, between two requests or within one.
        package var idleTimeout: Duration = .seconds(60)

        /// The longest head of a request, in bytes.
        package var maxHeaderBytes = 32 * 1024

        /// The interval at which a silent WebSocket is pinged; one that stays silent for another interval is
        /// closed.
        package var pingInterval: TimeAmount = .seconds(30)

        /// The number of unsent bytes above which a WebSocket counts as not writable.
        package var waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 8 * 1024, high: 64 * 1024)

        /// How fast the body of a request must come.
        package var bodyPace = BodyPace.Settings()

        /// How many requests of one person may have a body that hasn't come completely.
        package var openBodies = 100

        /// How long a connection may continue when the server shuts down.
        var patience = EdgeHandler.Patience()

        package init() {}
    }

    /// The functions that a connection calls, on its event loop.
    package struct Steps<HTTP: Sendable> {
        /// Adds TLS; `nil` if the server doesn't use it.
        package var addTLS: (() throws -> Void)?

        /// Adds the handlers for HTTP at the pipeline's end.
        package var addHTTP: () throws -> HTTP

        /// Removes those HTTP handlers that would close a WebSocket as idle.
        package var leaveHTTP: () -> Void

        package init(
            addTLS: (() throws -> Void)?,
            addHTTP: @escaping () throws -> HTTP,
            leaveHTTP: @escaping () -> Void
        ) {
            self.addTLS = addTLS
            self.addHTTP = addHTTP
            self.leaveHTTP = leaveHTTP
        }
    }

    /// A connection's protocol, chosen by its requests.
    package enum Language<HTTP: Sendable>: Sendable {
        case http(HTTP)
        case webSocket
    }

    /// A connection, with the result of its first request.
    package struct Connection<HTTP: Sendable>: Sendable {
        package let channel: any Channel
        fileprivate let settled: EventLoopFuture<Language<HTTP>>
        fileprivate let presence: ClientPresence
        fileprivate let ticket: ConnectionTicket?
        fileprivate let body: IncomingBody

        /// Waits for the first request; `nil` if the connection ended before it.
        package var language: Language<HTTP>? {
            get async { try? await settled.get() }
        }

        /// Runs `body` with ``ClientPresence/current``, ``ConnectionTicket/current`` and ``IncomingBody/current`` of this
        /// connection.
        package func serve(_ body: () async -> Void) async {
            await ClientPresence.$current.withValue(presence) {
                await ConnectionTicket.$current.withValue(ticket) {
                    await IncomingBody.$current.withValue(self.body) { await body() }
                }
            }
        }
    }

    /// A connection keeps its read buffer, so the buffer starts small and grows with the data.
    private static let receiveSizes = AdaptiveRecvByteBufferAllocator(
        minimum: 256,
        initial: 512,
        maximum: 65_536
    )

    package let settings: Settings
    private let policy: UpgradePolicy
    private let answer: @Sendable (RequestFault) -> RequestFault.Answer
    private let heartbeats: Heartbeats
    private let webSockets = OpenWebSockets()
    private let gate: ConnectionGate?
    private let bodies: OpenBodies

    /// Creates the connections of one server; without a connection gate every connection is admitted.
    ///
    /// `answer` returns the answer to a request that can't be parsed.
    package init(
        settings: Settings,
        gate: ConnectionGate?,
        policy: @escaping UpgradePolicy,
        answer: @escaping @Sendable (RequestFault) -> RequestFault.Answer
    ) {
        self.settings = settings
        self.gate = gate
        self.policy = policy
        self.answer = answer
        bodies = OpenBodies(limit: settings.openBodies)
        heartbeats = Heartbeats(interval: settings.pingInterval, webSockets: webSockets)
    }

    /// Adds the handlers to a new connection; called on its event loop.
    package func open<HTTP>(_ channel: any Channel, _ steps: Steps<HTTP>) throws -> Connection<HTTP> {
        try channel.syncOptions?.setOption(.recvAllocator, value: Self.receiveSizes)
        // What is read at once isn't bounded by any handler: no more than one buffer.
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        let ticket = gate?.admit(channel)
        let edge = EdgeHandler(ticket: ticket, patience: settings.patience)
        try channel.pipeline.syncOperations.addHandler(edge)
        try steps.addTLS?()
        let language = channel.eventLoop.makePromise(of: Language<HTTP>.self)
        let timeout = channel.eventLoop.scheduleTask(in: settings.headerTimeout) {
            channel.close(promise: nil)
        }
        language.futureResult.whenComplete { _ in timeout.cancel() }
        let connection = Connection(
            channel: channel,
            settled: language.futureResult,
            presence: ClientPresence(),
            ticket: ticket,
            body: IncomingBody(of: channel, settings: settings.bodyPace, counts: bodies)
        )
        let handler = try addFirstRequestHandler(to: connection, language, steps)
        edge.isAnswering = { [weak handler] in handler?.isAnswering ?? false }
        return connection
    }

    /// Waits until no WebSocket is open; returns at once if another task is already waiting.
    package func allWebSocketsClosed() async {
        await webSockets.allClosed()
    }

    private func addFirstRequestHandler<HTTP>(
        to connection: Connection<HTTP>,
        _ language: EventLoopPromise<Language<HTTP>>,
        _ steps: Steps<HTTP>
    ) throws -> FirstRequestHandler {
        let channel = connection.channel
        let encoder = HTTPResponseEncoder()
        let parser = BoundedRequestDecoder(limits)
        let decoder = ByteToMessageHandler(parser)
        var outcome: Language<HTTP>?
        let handler = FirstRequestHandler(
            FirstRequestHandler.Environment(
                decoder: decoder,
                handedOn: parser.handedOn,
                parseOn: { Self.parseOn(decoder, in: channel) },
                encoder: encoder,
                policy: policy,
                answer: answer,
                serveHTTP: { outcome = .http(try steps.addHTTP()) },
                serveWebSocket: { acceptance, handler in
                    steps.leaveHTTP()
                    let isEncrypted = steps.addTLS != nil
                    try addWebSocketHandler(to: channel, after: handler, isEncrypted: isEncrypted, acceptance)
                    outcome = outcome ?? .webSocket
                },
                settled: { error in
                    if let outcome {
                        language.succeed(outcome)
                    } else {
                        language.fail(error ?? ChannelError.eof)
                    }
                },
                presence: connection.presence,
                ticket: connection.ticket,
                body: connection.body
            )
        )
        parser.isFull = { [weak handler] in handler?.isFull ?? false }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(encoder)
        try pipeline.addHandler(decoder)
        try pipeline.addHandler(handler)
        return handler
    }

    /// Has the decoder parse what it has kept back.
    private static func parseOn(
        _ decoder: ByteToMessageHandler<BoundedRequestDecoder>,
        in channel: any Channel
    ) {
        guard let context = try? channel.pipeline.syncOperations.context(handler: decoder) else { return }
        decoder.channelRead(context: context, data: NIOAny(ByteBuffer()))
        context.fireChannelReadComplete()
    }

    private var limits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = settings.maxHeaderBytes
        limits.maxHeaderListSize = settings.maxHeaderBytes
        return limits
    }

    private func addWebSocketHandler(
        to channel: any Channel,
        after handler: FirstRequestHandler,
        isEncrypted: Bool,
        _ acceptance: UpgradeDecision.Acceptance
    ) throws {
        try channel.syncOptions?.setOption(.writeBufferWaterMark, value: settings.waterMark)
        let connection = WebSocketConnection(
            eventLoop: channel.eventLoop,
            settings: acceptance.settings,
            heartbeat: heartbeats.heartbeat(of: channel.eventLoop)
        )
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(connection, position: .after(handler))
        // The HTTP encoder was removed before. Without TLS, no handler between this one and the socket changes written
        // frames.
        if !isEncrypted { connection.write(from: try pipeline.context(handlerType: EdgeHandler.self)) }
        connection.start(delegate: acceptance.start(connection))
    }
}
