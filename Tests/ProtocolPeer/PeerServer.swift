import ArgumentParser
import Hummingbird
import HummingbirdCore
import Logging
import YonderServer

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
            },
            logger: logger
        )
        try await application.runService()
    }
}
