import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
import ServiceLifecycle
import YonderModel
import YonderREST
import YonderRules

/// Answers the command line over the control socket while the server runs.
///
/// The folder must be locked: a socket left by a killed server is removed.
///
/// `ServerProcess` runs it as a service beside the network's. The commands' requests get the endpoints of
/// `ConsoleAssembly`, without a sign-in. That only the server's own user and root may connect must stay, and that the
/// socket lies in the locked folder (`ConsoleTests`, `Documentation/operations.md`). Both limits may be changed.
package struct ConsoleService: Service {
    /// The bounds of the control socket, so that a faulty program of the server's own user doesn't take its descriptors.
    package struct Limits: Sendable {
        /// The most connections at once; further ones wait until one is closed.
        package var connections: Int

        /// How long a connection may be silent before, within and after a request; the time of an answer doesn't count.
        package var silence: Duration

        package init(connections: Int = 32, silence: Duration = .seconds(10)) {
            (self.connections, self.silence) = (connections, silence)
        }
    }

    private let assembly: ConsoleAssembly
    private let folder: String
    private let group: any EventLoopGroup
    private let limits: Limits
    private let logger: Logger
    private let strangers = LineRate()

    package init(
        _ assembly: ConsoleAssembly,
        folder: String,
        group: any EventLoopGroup,
        limits: Limits = Limits(),
        logger: Logger
    ) {
        self.assembly = assembly
        self.folder = folder
        self.group = group
        self.limits = limits
        self.logger = logger
    }

    /// Runs until the server shuts down.
    ///
    /// If the socket can't be created, as on a file system without sockets, the server runs without it.
    package func run() async throws {
        do {
            let socket = try ControlSocket(in: folder)
            defer { socket.remove() }
            try await application(socket).run()
        } catch let error where !(error is CancellationError) {
            logger.warning("The command line can't reach this server", metadata: ["reason": "\(error)"])
            try? await gracefulShutdown()
        }
    }

    private func application(_ socket: ControlSocket) -> Application<RouterResponder<RESTContext>> {
        // The library would log the socket's path as the listening address, which is of no use.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return Application(
            responder: assembly.responder,
            server: HTTPServerBuilder { [silence = limits.silence, strangers] in
                ConsoleChannel(responder: $0, silence: silence, strangers: strangers)
            },
            configuration: ApplicationConfiguration(
                address: .unixDomainSocket(path: socket.path),
                availableConnectionsDelegate: .maximum(limits.connections, logger: quiet)
            ),
            onServerRunning: { _ in socket.restrict() },
            eventLoopGroupProvider: .shared(group),
            logger: quiet
        )
    }
}

/// A connection to the control socket: closed at once unless it comes from the user who runs the server, or
/// root.
private struct ConsoleChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = HTTP1Channel.Value

    let responder: HTTPChannelHandler.Responder
    let silence: Duration

    /// The lines about processes of other users.
    let strangers: LineRate

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let http = http
        return PeerUser.isTrusted(channel).flatMap { isTrusted in
            guard isTrusted else {
                if let omitted = strangers.take() {
                    logger.warning(
                        "Another user's process tried to use the control socket",
                        metadata: ["omitted": "\(omitted)"]
                    )
                }
                // A failed setup alone leaves the connection open.
                return channel.close().flatMapThrowing { throw ChannelError.operationUnsupported }
            }
            return http.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }

    private var http: HTTP1Channel {
        HTTP1Channel(responder: responder, configuration: .init(idleTimeout: TimeAmount(silence)))
    }
}
