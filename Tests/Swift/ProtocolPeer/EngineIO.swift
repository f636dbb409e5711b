import ArgumentParser
import Hummingbird
import NIOCore
import NIOPosix
import YonderServer
import YonderTransport

/// `protocol-peer engine-io`: what the Engine.IO protocol's test suites expect.
struct EngineIO: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine-io",
        abstract: "Sends every Engine.IO message back, at /engine.io/.",
        discussion: "Both generations: the suite of either can be run against it."
    )

    @OptionGroup var address: PeerAddress
    @OptionGroup var times: PeerTimes

    func run() async throws {
        var settings = times.engine
        settings.path = "/engine.io"
        let server = EngineServer(settings: settings, group: MultiThreadedEventLoopGroup.singleton) {
            EngineEcho($0)
        }
        let router = Router()
        server.addRoutes(to: router)
        try await address.serve(router) { await server.decide($0) ?? .refuse }
    }
}

/// Sends back what one session says.
private final class EngineEcho: WebSocketDelegate {
    private let connection: EngineConnection

    init(_ connection: EngineConnection) {
        self.connection = connection
    }

    func received(text: ByteBuffer) {
        connection.send(text: Array(text.readableBytesView))
        connection.flush()
    }

    func received(binary: ByteBuffer) {
        connection.send(binary: Array(binary.readableBytesView))
        connection.flush()
    }

    func writabilityChanged(isWritable: Bool) {}

    func closed() {}
}
