import ArgumentParser
import NIOCore
import YonderServer
import YonderTransport

/// `protocol-peer echo`: sends every WebSocket message back, for the Autobahn suite.
struct Echo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends every WebSocket message back.",
        discussion: "On any path; text and binary messages of up to 16 MiB."
    )

    @OptionGroup var address: PeerAddress

    func run() async throws {
        try await address.serve { _ in
            let settings = WebSocketSettings(maxMessageSize: 16 * 1024 * 1024)
            return .accept(UpgradeDecision.Acceptance(settings: settings) { EchoSession($0) })
        }
    }
}

/// Sends back what one connection says.
private final class EchoSession: WebSocketDelegate {
    private let connection: WebSocketConnection

    init(_ connection: WebSocketConnection) {
        self.connection = connection
    }

    func received(text: ByteBuffer) {
        connection.write(OutboundFrame.text(text))
        connection.flush()
    }

    func received(binary: ByteBuffer) {
        connection.write(OutboundFrame.binary(binary))
        connection.flush()
    }

    func writabilityChanged(isWritable: Bool) {}

    func closed() {}
}
