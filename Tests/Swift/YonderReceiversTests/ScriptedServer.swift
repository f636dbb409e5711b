import NIOCore
import NIOPosix
import Synchronization

/// A TCP server on loopback whose side of each conversation the test plays.
final class ScriptedServer: Sendable {
    let port: Int
    private let channel: any Channel
    private let peers: AsyncStream<Peer>

    /// Listens on a socket that has its port already, or on a new one.
    init(_ socket: LoopbackSocket? = nil) async throws {
        let (peers, continuation) = AsyncStream.makeStream(of: Peer.self)
        self.peers = peers
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let peer = Peer(channel)
                    try channel.pipeline.syncOperations.addHandler(PeerHandler(peer))
                    continuation.yield(peer)
                }
            }
        let bound = socket.map { bootstrap.withBoundSocket($0.descriptor) }
        channel = try await (bound ?? bootstrap.bind(host: "127.0.0.1", port: 0)).get()
        port = channel.localAddress?.port ?? 0
    }

    /// Waits for the next connection.
    func accept() async -> Peer? {
        for await peer in peers { return peer }
        return nil
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

        func send(_ bytes: [UInt8]) {
            channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
        }

        /// Sends lines.
        func say(_ lines: String...) {
            send(lines.map { $0 + "\r\n" }.joined())
        }

        func close() {
            channel.close(promise: nil)
        }

        /// Waits until the other side has sent this; `false` if it hung up before.
        func hear(_ text: String) async -> Bool {
            if take(text, after: "") { return true }
            for await part in received where take(text, after: part) { return true }
            return false
        }

        /// Waits until the other side has hung up.
        func hangUp() async {
            for await _ in received {}
        }

        private func take(_ wanted: String, after part: String) -> Bool {
            text.withLock { text in
                text += part
                guard let range = text.firstRange(of: wanted) else { return false }
                text = String(text[range.upperBound...])
                return true
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
