import ArgumentParser
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import YonderServer
import YonderTransport

/// How long a peer waits; what the protocols' suites measure against if nobody says.
struct PeerTimes: ParsableArguments {
    @Option(help: "Milliseconds from one heartbeat to the next.")
    var pingInterval = 300

    @Option(help: "How many milliseconds late a heartbeat may be.")
    var pingTimeout = 200

    @Option(help: "How many milliseconds a Socket.IO client may take to enter a namespace.")
    var connectTimeout = 1_000

    /// The settings of an Engine.IO server.
    var engine: EngineSettings {
        var settings = EngineSettings()
        settings.pingInterval = .milliseconds(pingInterval)
        settings.pingTimeout = .milliseconds(pingTimeout)
        settings.maxPayload = 1_000_000
        return settings
    }
}

/// Where a peer listens.
struct PeerAddress: ParsableArguments {
    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes any that is free.")
    var port = 3000

    /// Serves until the process is asked to end.
    func serve(
        _ router: Router<BasicRequestContext> = Router(),
        policy: @escaping UpgradePolicy
    ) async throws {
        var logger = Logger(label: "protocol-peer")
        logger.logLevel = .notice
        let application = Application(
            router: router,
            server: .upgradable(policy: policy),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), backlog: 4096),
            onServerRunning: { channel in
                print("listening on port \(channel.localAddress?.port ?? port)")
                fflush(nil)
            },
            logger: logger
        )
        try await application.runService()
    }
}
