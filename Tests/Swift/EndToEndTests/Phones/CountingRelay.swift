import NIOCore
import NIOPosix
import Synchronization

/// Passes a phone's connections on to a server, and counts the bytes.
final class CountingRelay: Sendable {
    /// The port of the relay on loopback.
    let port: Int

    private let listener: any Channel
    private let counted: Counted

    private final class Counted: Sendable {
        let bytes = Mutex((up: 0, down: 0))
    }

    private init(_ listener: any Channel, _ counted: Counted) {
        (self.listener, self.counted) = (listener, counted)
        port = listener.localAddress?.port ?? 0
    }

    /// Listens, and passes on to a port of loopback.
    static func start(to port: Int, on group: any EventLoopGroup) async throws -> CountingRelay {
        let counted = Counted()
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { phone in
                ClientBootstrap(group: phone.eventLoop).connect(host: "127.0.0.1", port: port).flatMap {
                    server in
                    phone.eventLoop.makeCompletedFuture {
                        let up = Passing(to: server) { bytes in counted.bytes.withLock { $0.up += bytes } }
                        let down = Passing(to: phone) { bytes in counted.bytes.withLock { $0.down += bytes } }
                        try phone.pipeline.syncOperations.addHandler(up)
                        try server.pipeline.syncOperations.addHandler(down)
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return CountingRelay(listener, counted)
    }

    /// The bytes that were passed on since the last call.
    func takeBytes() -> (up: Int, down: Int) {
        counted.bytes.withLock { bytes in
            defer { bytes = (0, 0) }
            return bytes
        }
    }

    func stop() async throws {
        try await listener.close()
    }

    private final class Passing: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let other: any Channel
        private let count: (Int) -> Void

        init(to other: any Channel, _ count: @escaping (Int) -> Void) {
            (self.other, self.count) = (other, count)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            count(buffer.readableBytes)
            other.writeAndFlush(buffer, promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            other.close(promise: nil)
        }
    }
}
