package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// One client's connection: HTTP through Hummingbird's router, or a WebSocket, depending on its first
/// request.
package struct ChildChannel: ServerChildChannel, HTTPChannelHandler {
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

        /// How long a connection may continue when the server shuts down.
        var patience = EdgeHandler.Patience()

        package init() {}
    }

    /// The result of a connection's first request.
    package struct Value: ServerChildChannelValue {
        fileprivate enum Language: Sendable {
            case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
            case webSocket
        }

        package let channel: any Channel
        fileprivate let language: EventLoopFuture<Language>
        fileprivate let presence: ClientPresence
        fileprivate let ticket: ConnectionTicket?
    }

    package let responder: HTTPChannelHandler.Responder
    /// A connection keeps its read buffer, so the buffer starts small and grows with the data.
    private static let receiveSizes = AdaptiveRecvByteBufferAllocator(
        minimum: 256,
        initial: 512,
        maximum: 65_536
    )

    private let settings: Settings
    private let policy: UpgradePolicy
    private let heartbeats: Heartbeats
    private let webSockets = OpenWebSockets()
    private let gate: ConnectionGate?
    private let certificate: ServerCertificate?

    init(
        responder: @escaping HTTPChannelHandler.Responder,
        settings: Settings,
        gate: ConnectionGate?,
        certificate: ServerCertificate?,
        policy: @escaping UpgradePolicy
    ) {
        self.responder = responder
        self.settings = settings
        self.gate = gate
        self.certificate = certificate
        self.policy = policy
        heartbeats = Heartbeats(interval: settings.pingInterval, webSockets: webSockets)
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(.recvAllocator, value: Self.receiveSizes)
            let ticket = gate?.admit(channel)
            let edge = EdgeHandler(ticket: ticket, patience: settings.patience)
            try channel.pipeline.syncOperations.addHandler(edge)
            if let certificate {
                try channel.pipeline.syncOperations.addHandler(
                    NIOSSLServerHandler(context: certificate.context)
                )
            }
            let language = channel.eventLoop.makePromise(of: Value.Language.self)
            let timeout = channel.eventLoop.scheduleTask(in: settings.headerTimeout) {
                channel.close(promise: nil)
            }
            language.futureResult.whenComplete { _ in timeout.cancel() }
            let value = Value(
                channel: channel,
                language: language.futureResult,
                presence: ClientPresence(),
                ticket: ticket
            )
            let handler = try addFirstRequestHandler(to: value, language: language, logger: logger)
            edge.isAnswering = { [weak handler] in handler?.isAnswering ?? false }
            return value
        }
    }

    package func handle(value: Value, logger: Logger) async {
        switch try? await value.language.get() {
        case .http(let channel):
            await ClientPresence.$current.withValue(value.presence) {
                await ConnectionTicket.$current.withValue(value.ticket) {
                    await handleHTTP(asyncChannel: channel, logger: logger)
                }
            }
        case .webSocket: await webSockets.allClosed()
        case nil: value.channel.close(promise: nil)
        }
    }

    private func addFirstRequestHandler(
        to value: Value,
        language: EventLoopPromise<Value.Language>,
        logger: Logger
    ) throws -> FirstRequestHandler {
        let channel = value.channel
        let encoder = HTTPResponseEncoder()
        let parser = BoundedRequestDecoder(limits)
        let decoder = ByteToMessageHandler(parser)
        var outcome: Value.Language?
        let handler = FirstRequestHandler(
            FirstRequestHandler.Environment(
                decoder: decoder,
                handedOn: parser.handedOn,
                encoder: encoder,
                policy: policy,
                serveHTTP: { outcome = .http(try addHTTPHandlers(to: channel, logger: logger)) },
                serveWebSocket: { acceptance, handler in
                    try addWebSocketHandler(to: channel, after: handler, acceptance)
                    outcome = outcome ?? .webSocket
                },
                settled: { error in
                    if let outcome {
                        language.succeed(outcome)
                    } else {
                        language.fail(error ?? ChannelError.eof)
                    }
                },
                presence: value.presence,
                ticket: value.ticket
            )
        )
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(encoder)
        try pipeline.addHandler(decoder)
        try pipeline.addHandler(handler)
        return handler
    }

    private var limits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = settings.maxHeaderBytes
        limits.maxHeaderListSize = settings.maxHeaderBytes
        return limits
    }

    private func addHTTPHandlers(
        to channel: any Channel,
        logger: Logger
    ) throws -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: settings.idleTimeout, logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
    }

    private func addWebSocketHandler(
        to channel: any Channel,
        after handler: FirstRequestHandler,
        _ acceptance: UpgradeDecision.Acceptance
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        // Remaining HTTP handlers, if there were any, would close the connection as idle.
        if let state = try? pipeline.handler(type: HTTPConnectionStateHandler.self) {
            pipeline.removeHandler(state, promise: nil)
        }
        try channel.syncOptions?.setOption(.writeBufferWaterMark, value: settings.waterMark)
        let connection = WebSocketConnection(
            eventLoop: channel.eventLoop,
            settings: acceptance.settings,
            heartbeat: heartbeats.heartbeat(of: channel.eventLoop)
        )
        try pipeline.addHandler(connection, position: .after(handler))
        connection.start(delegate: acceptance.start(connection))
    }
}

extension HTTPServerBuilder {
    /// A server for HTTP/1.1 and WebSocket on one port, over TLS if there is a `certificate`.
    ///
    /// Without a `gate` every connection is admitted.
    package static func upgradable(
        settings: ChildChannel.Settings = ChildChannel.Settings(),
        gate: ConnectionGate? = nil,
        certificate: ServerCertificate? = nil,
        policy: @escaping UpgradePolicy
    ) -> HTTPServerBuilder {
        HTTPServerBuilder {
            ChildChannel(
                responder: $0,
                settings: settings,
                gate: gate,
                certificate: certificate,
                policy: policy
            )
        }
    }
}
