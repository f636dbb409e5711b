import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import YonderModel

/// A WebSocket connection to a server.
final class WebSocketLink: StreamLink {
    private let channel: any Channel
    private let frames: NIOLoopBound<WebSocketFrames>

    private init(_ channel: any Channel, _ frames: NIOLoopBound<WebSocketFrames>) {
        self.channel = channel
        self.frames = frames
    }

    func next() async throws(LinkClosure) -> [[UInt8]] {
        let batch = channel.eventLoop.flatSubmit { [frames, channel] in
            frames.value.next() ?? channel.eventLoop.makeFailedFuture(LinkClosure.lost("Closed."))
        }
        do {
            return try await withTaskCancellationHandler {
                try await batch.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            throw error as? LinkClosure ?? .lost("\(error)")
        }
    }

    func write(_ text: [UInt8]) {
        let data = channel.allocator.buffer(bytes: text)
        let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: data)
        channel.writeAndFlush(frame, promise: nil)
    }

    var isWritable: Bool { channel.isWritable }

    func close() {
        var code = channel.allocator.buffer(capacity: 2)
        code.write(webSocketErrorCode: .normalClosure)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: code)
        channel.writeAndFlush(frame).whenComplete { [channel] _ in channel.close(promise: nil) }
    }
}

// MARK: - Connecting

extension WebSocketLink {
    /// The settings for opening a connection.
    struct Settings: Sendable {
        var address: ServerAddress
        var token: String?
        var tls: NIOSSLContext?
        var timeout: TimeAmount = .seconds(15)
        var silence: TimeAmount = .seconds(40)

        /// The longest frame from the server, in bytes: a page, or a single message with its JSON escapes.
        static let frameLimit = 1 << 20
    }

    private enum Opened: Sendable {
        case stream(any Channel, NIOLoopBound<WebSocketFrames>)
        case refused
    }

    /// Connects, and upgrades the connection to the stream.
    static func connect(_ settings: Settings) async throws(LinkClosure) -> any StreamLink {
        let refusal = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: LinkClosure?.self)
        do {
            let opened = try await open(settings, refusal)
            if case .stream(let channel, let frames) = try await opened.get() {
                refusal.succeed(nil)
                return WebSocketLink(channel, frames)
            }
            refusal.succeed(nil)
        } catch {
            refusal.succeed(nil)
            if let closure = try? await refusal.futureResult.get() { throw closure }
            throw .lost("\(error)")
        }
        throw (try? await refusal.futureResult.get())
            ?? .lost("The server didn't upgrade the connection to a WebSocket.")
    }

    private static func open(
        _ settings: Settings,
        _ refusal: EventLoopPromise<LinkClosure?>
    ) async throws -> EventLoopFuture<Opened> {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(settings.timeout)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .connect(host: settings.address.host, port: settings.address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try configure(channel, settings, refusal)
                }
            }
    }

    private static func configure(
        _ channel: any Channel,
        _ settings: Settings,
        _ refusal: EventLoopPromise<LinkClosure?>
    ) throws -> EventLoopFuture<Opened> {
        let pipeline = channel.pipeline.syncOperations
        if let tls = settings.tls {
            try pipeline.addHandler(tlsHandler(tls, settings.address))
        }
        let deadline = channel.eventLoop.scheduleTask(in: settings.timeout) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in deadline.cancel() }

        var http = NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: upgrade(settings, deadline)
        )
        // The greeting may arrive in the same segment as the response.
        http.leftOverBytesStrategy = .forwardBytes
        let opened = try pipeline.configureUpgradableHTTPClientPipeline(configuration: http)
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(UpgradeStatus { refusal.succeed($0) }, position: .after(decoder))
        return opened
    }

    private static func tlsHandler(_ tls: NIOSSLContext, _ address: ServerAddress) throws
        -> NIOSSLClientHandler
    {
        let isAddress = (try? SocketAddress(ipAddress: address.host, port: address.port)) != nil
        return try NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : address.host)
    }

    private static func upgrade(
        _ settings: Settings,
        _ deadline: Scheduled<Void>
    ) -> NIOTypedHTTPClientUpgradeConfiguration<Opened> {
        let webSocket = NIOTypedWebSocketClientUpgrader<Opened>(
            maxFrameSize: Settings.frameLimit,
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture { try addHandlers(channel, settings, deadline) }
            }
        )
        return NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: request(settings),
            upgraders: [webSocket],
            notUpgradingCompletionHandler: { $0.eventLoop.makeSucceededFuture(.refused) }
        )
    }

    private static func request(_ settings: Settings) -> HTTPRequestHead {
        var headers: HTTPHeaders = [
            "Host": settings.address.authority, "Content-Length": "0", "Sec-WebSocket-Protocol": "yonder.v1",
            "User-Agent": "yonder-client",
        ]
        if let token = settings.token { headers.add(name: "Authorization", value: "Bearer \(token)") }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: settings.address.path, headers: headers)
    }

    private static func addHandlers(
        _ channel: any Channel,
        _ settings: Settings,
        _ deadline: Scheduled<Void>
    ) throws -> Opened {
        let frames = WebSocketFrames(deadline: deadline)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers(
            IdleStateHandler(readTimeout: settings.silence),
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0,
                maxAccumulatedFrameCount: 1_024,
                maxAccumulatedFrameSize: Settings.frameLimit
            ),
            frames
        )
        return .stream(channel, NIOLoopBound(frames, eventLoop: channel.eventLoop))
    }
}
