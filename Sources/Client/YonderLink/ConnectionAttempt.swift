#if os(Linux)
import NIOCore
import NIOPosix
import Synchronization

/// A connection that is being made, which is closed when its task is canceled.
///
/// `WebSocketLink` and `RequestConnection` connect with it, on Linux. What goes wrong is thrown as NIO's error, which they
/// turn into a `LinkClosure` or an `OpenFailure`. That a canceled task closes every channel that was begun, also one that
/// opens later, must stay: a client that ends would leave connections open (`LinkSuiteTests`, `RequestLinkTests`).
final class ConnectionAttempt: Sendable {
    /// A host with several addresses has a channel for each that was tried.
    private let state = Mutex<(channels: [any Channel], isCanceled: Bool)>(([], false))

    private init() {}

    /// Runs `body`, which calls ``connect(_:_:)``, and closes the connection if the task is canceled meanwhile.
    static func run<Opened>(_ body: (ConnectionAttempt) async throws -> Opened) async throws -> Opened {
        let attempt = ConnectionAttempt()
        return try await withTaskCancellationHandler {
            try await body(attempt)
        } onCancel: {
            attempt.cancel()
        }
    }

    /// Connects to a server, over TLS where its address says so; `configure` adds the other handlers of a channel.
    func connect<Output: Sendable>(
        _ settings: NetworkSettings,
        _ configure: @escaping @Sendable (any Channel) throws -> Output
    ) async throws -> Output {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(settings.timeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: settings.address.host, port: settings.address.port) { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try began(channel)
                    if let tls = try settings.tlsHandler() {
                        try channel.pipeline.syncOperations.addHandler(tls)
                    }
                    return try configure(channel)
                }
            }
    }

    /// Keeps a channel, before it connects.
    ///
    /// - Throws: `CancellationError` if the task is canceled already.
    private func began(_ channel: any Channel) throws {
        let isCanceled = state.withLock { state in
            state.channels.append(channel)
            return state.isCanceled
        }
        if isCanceled { throw CancellationError() }
    }

    private func cancel() {
        let channels = state.withLock { state in
            state.isCanceled = true
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
#endif
