import ArgumentParser
import Hummingbird
import NIOCore
import NIOPosix
import YonderServer
import YonderTransport
import YonderWire

/// `protocol-peer socket-io`: what the Socket.IO protocol's test suites expect.
struct SocketIO: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "socket-io",
        abstract: "Answers message and message-with-ack, at /socket.io/.",
        discussion: "In the namespaces / and /custom; revisions 4 and 5 of the protocol."
    )

    @OptionGroup var address: PeerAddress
    @OptionGroup var times: PeerTimes

    func run() async throws {
        var settings = SocketIOServer.Settings()
        settings.engine = times.engine
        settings.connectTimeout = .milliseconds(Int64(times.connectTimeout))
        let namespace: SocketIONamespace = { socket, handshake in
            .success(SuiteHandler(socket, handshake: handshake))
        }
        let server = SocketIOServer(
            settings: settings,
            group: MultiThreadedEventLoopGroup.singleton,
            namespaces: ["/": namespace, "/custom": namespace]
        )
        let router = Router()
        server.engine.addRoutes(to: router)
        try await address.serve(router) { await server.engine.decide($0) ?? .refuse }
    }
}

/// Says who connected, and answers what they send.
private final class SuiteHandler: SocketIOHandler {
    private let socket: SocketIOSocket
    private let handshake: [UInt8]

    init(_ socket: SocketIOSocket, handshake: [UInt8]) {
        self.socket = socket
        self.handshake = handshake
    }

    func connected() {
        socket.emit("auth", handshake.isEmpty ? Array("{}".utf8) : handshake)
    }

    func received(_ event: SocketIOEvent) {
        let arguments = event.event.joinedArguments
        switch String(decoding: event.event.name, as: UTF8.self) {
        case "message": socket.emit("message-back", arguments, attachments: event.attachments)
        case "message-with-ack": event.acknowledge(arguments, attachments: event.attachments)
        default: break
        }
    }

    func writabilityChanged(isWritable: Bool) {}

    func disconnected() {}
}
