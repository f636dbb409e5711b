import NIOCore
import NIOPosix
import Synchronization

/// A TCP server on loopback whose side of each conversation the test plays.
final class ScriptedServer: Sendable {
    let port: Int
    private let channel: any Channel
    private let peers: AsyncStream<Peer>

    init() async throws {
        let (peers, continuation) = AsyncStream.makeStream(of: Peer.self)
        self.peers = peers
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let peer = Peer(channel)
                    try channel.pipeline.syncOperations.addHandler(PeerHandler(peer))
                    continuation.yield(peer)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    /// Waits for the next connection.
    func accept() async throws -> Peer {
        for await peer in peers { return peer }
        throw ChannelError.eof
    }

    func close() async {
        try? await channel.close()
    }

    /// One connection.
    final class Peer: Sendable {
        private let channel: any Channel
        private let received: AsyncStream<String>
        fileprivate let continuation: AsyncStream<String>.Continuation
        private let text = Mutex("")

        fileprivate init(_ channel: any Channel) {
            self.channel = channel
            (received, continuation) = AsyncStream.makeStream(of: String.self)
        }

        /// Sends as it is.
        func send(_ text: String) {
            channel.writeAndFlush(channel.allocator.buffer(string: text), promise: nil)
        }

        /// Sends an `INFO`, and answers the client's greeting.
        func welcome() async {
            send("INFO {\"max_payload\":1000}\r\n")
            _ = await hear("PING\r\n")
            send("PONG\r\n")
        }

        func close() {
            channel.close(promise: nil)
        }

        /// Waits until the client has sent this; `nil` if it hung up before, or the text up to its end.
        func hear(_ text: String) async -> String? {
            if let heard = take(text, after: "") { return heard }
            for await part in received {
                if let heard = take(text, after: part) { return heard }
            }
            return nil
        }

        private func take(_ wanted: String, after part: String) -> String? {
            text.withLock { text in
                text += part
                guard let range = text.firstRange(of: wanted) else { return nil }
                defer { text = String(text[range.upperBound...]) }
                return String(text[..<range.upperBound])
            }
        }
    }
}

private final class PeerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let peer: ScriptedServer.Peer

    init(_ peer: ScriptedServer.Peer) {
        self.peer = peer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        peer.continuation.yield(String(buffer: unwrapInboundIn(data)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        peer.continuation.finish()
    }
}
