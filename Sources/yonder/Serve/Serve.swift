import ArgumentParser
import Logging
import Metrics
import NIOCore
import NIOPosix
import ServiceLifecycle
import YonderHub
import YonderMetrics
import YonderModel
import YonderServer
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs the server: `yonder serve`.
///
/// Reads the settings, becomes the owner of the data folder, installs the log and the metrics, once a process and before any
/// other part uses them, and runs a ``ServerProcess`` until a signal. A setting that can't be is a `ValidationError`, any
/// other refusal a ``CommandFailure``; both end the process.
///
/// Options are those of `ServeOptions`, promised in `Documentation/configuration.md`. The order in ``run()`` must stay:
/// before the owner of the folder is taken on nothing may be written, and nothing may log before the log is set.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the server.",
        discussion: """
            On an empty folder it makes the owner's account and prints a link that signs the owner in, once.

            Each setting is a flag, an environment variable (--log-level is YONDER_LOG_LEVEL, lists have commas), or an \
            entry of the file that --config names: log-level=debug in a file whose name ends in .conf, else JSON with \
            "log-level": "debug". The first of these wins.

            Examples:
              yonder serve --data yonder-data
              yonder serve --data /var/lib/yonder --address 0.0.0.0 --port 443 \\
                --tls-certificate chain.pem --tls-key key.pem
              yonder serve --data /var/lib/yonder --proxy 127.0.0.1 --origin https://map.example.org
              yonder serve --data demo-data --demo
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let settings = try ServeSettings.load(options, environment: ProcessInfo.processInfo.environment)
        if options.check { return }
        if let folder = settings.place.folder {
            try FolderOwner.become(of: folder)
            try FolderCheck.check(folder)
        }
        try await PortCheck.check(settings.server.address, settings.server.port)
        LoggingSystem.bootstrap { Self.logHandler($0, settings) }
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        try await ServerProcess(settings: settings, registry: registry).run()
    }

    private static func logHandler(_ label: String, _ settings: ServeSettings) -> any LogHandler {
        switch settings.logFormat {
        case .text:
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = settings.logLevel
            return handler
        case .json:
            var handler = JSONLogHandler(label: label)
            handler.logLevel = settings.logLevel
            return handler
        }
    }
}
