#if os(Linux)
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import YonderModel

/// A WebSocket connection to a server.
///
/// On Linux `Links` opens one for each connection of `SharingClient` or `SocketIOClient`; on Apple's systems it is a
/// `NetworkStreamLink`. One task reads by ``next()``, any may write. A failure to connect is an `OpenFailure`, an end the
/// `LinkClosure` that ``next()`` throws; a write after the end is lost, and the client learns of it by reading. The limit of
/// a frame must be above the server's pages. What both links do is tried by `LinkSuiteTests`.
///
/// Headers may be added to the request; the order of the channel's handlers must stay (TLS, HTTP, frames).
package final class WebSocketLink: StreamLink {
    private let channel: any Channel
    private let frames: NIOLoopBound<WebSocketFrames>

    private init(_ channel: any Channel, _ frames: NIOLoopBound<WebSocketFrames>) {
        self.channel = channel
        self.frames = frames
    }

    package func next() async throws(LinkClosure) -> [[UInt8]] {
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

    package func write(_ text: [UInt8]) {
        let data = channel.allocator.buffer(bytes: text)
        let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: data)
        channel.writeAndFlush(frame, promise: nil)
    }

    package var isWritable: Bool { channel.isWritable }

    package func close() {
        var code = channel.allocator.buffer(capacity: 2)
        code.write(webSocketErrorCode: .normalClosure)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: code)
        channel.writeAndFlush(frame).whenComplete { [channel] _ in channel.close(promise: nil) }
    }
}

// MARK: - Connecting

extension WebSocketLink {
    /// The longest frame from the server, in bytes: a page, or a single message with its JSON escapes.
    private static let frameLimit = 1 << 20

    private enum Opened: Sendable {
        case stream(any Channel, NIOLoopBound<WebSocketFrames>)
        case notUpgraded
    }

    /// Connects, and upgrades the connection to a WebSocket; a canceled task gives up at once.
    static func connect(
        _ settings: NetworkSettings,
        _ target: StreamTarget,
        _ headers: [LinkHeader]
    ) async throws(OpenFailure) -> any StreamLink {
        do {
            let opened = try await ConnectionAttempt.run { attempt in
                try await attempt.connect(settings) { try configure($0, settings, target, headers) }.get()
            }
            if case .stream(let channel, let frames) = opened { return WebSocketLink(channel, frames) }
        } catch {
            throw .closed(error as? LinkClosure ?? .lost("\(error)"))
        }
        throw .notUpgraded
    }

    private static func configure(
        _ channel: any Channel,
        _ settings: NetworkSettings,
        _ target: StreamTarget,
        _ headers: [LinkHeader]
    ) throws -> EventLoopFuture<Opened> {
        let pipeline = channel.pipeline.syncOperations
        let deadline = channel.eventLoop.scheduleTask(in: settings.timeout) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in deadline.cancel() }

        var http = NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: upgrade(settings, target, headers, deadline)
        )
        // The greeting may arrive in the same segment as the response.
        http.leftOverBytesStrategy = .forwardBytes
        return try pipeline.configureUpgradableHTTPClientPipeline(configuration: http)
    }

    private static func upgrade(
        _ settings: NetworkSettings,
        _ target: StreamTarget,
        _ headers: [LinkHeader],
        _ deadline: Scheduled<Void>
    ) -> NIOTypedHTTPClientUpgradeConfiguration<Opened> {
        let webSocket = NIOTypedWebSocketClientUpgrader<Opened>(
            maxFrameSize: frameLimit,
            upgradePipelineHandler: { channel, answer in
                channel.eventLoop.makeCompletedFuture {
                    try check(answer, target)
                    return try addHandlers(channel, settings, deadline)
                }
            }
        )
        return NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: request(settings, target, headers),
            upgraders: [webSocket],
            notUpgradingCompletionHandler: { channel in
                channel.close(promise: nil)
                return channel.eventLoop.makeSucceededFuture(.notUpgraded)
            }
        )
    }

    private static func check(_ answer: HTTPResponseHead, _ target: StreamTarget) throws {
        guard let subprotocol = target.subprotocol else { return }
        guard answer.headers.first(name: "Sec-WebSocket-Protocol") == subprotocol else {
            throw LinkClosure.lost("The server didn't choose the subprotocol \(subprotocol).")
        }
    }

    private static func request(
        _ settings: NetworkSettings,
        _ target: StreamTarget,
        _ identification: [LinkHeader]
    ) -> HTTPRequestHead {
        var headers: HTTPHeaders = [
            "Host": settings.address.authority, "Content-Length": "0", "User-Agent": "yonder-client",
        ]
        if let name = target.subprotocol { headers.add(name: "Sec-WebSocket-Protocol", value: name) }
        for header in identification { headers.add(name: header.name, value: header.value) }
        return HTTPRequestHead(
            version: .http1_1,
            method: .GET,
            uri: settings.address.prefix + target.path,
            headers: headers
        )
    }

    private static func addHandlers(
        _ channel: any Channel,
        _ settings: NetworkSettings,
        _ deadline: Scheduled<Void>
    ) throws -> Opened {
        let frames = WebSocketFrames(deadline: deadline)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers(
            IdleStateHandler(readTimeout: settings.silence),
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0,
                maxAccumulatedFrameCount: 1_024,
                maxAccumulatedFrameSize: frameLimit
            ),
            frames
        )
        return .stream(channel, NIOLoopBound(frames, eventLoop: channel.eventLoop))
    }
}
#endif
