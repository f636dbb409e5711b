import ServiceLifecycle
import Synchronization
import YonderTransport

/// Closes the connections of a server that stops one after the other, so that clients move to other servers.
///
/// `ServerProcess` runs one, as the last in its list of services: it must be the first to be shut down, because the others
/// wait until it has returned. At SIGTERM it first makes `/ready` answer 503 by ``Stopping``, and then lets `Drain` decide
/// which connection is closed when. With a drain of 0 seconds no connection is closed here; the application closes them. If
/// the whole stop exceeds its limit, this service is canceled and throws. `test_stopping.py` tries it with a load balancer.
final class DrainService: Service {
    private let drain: Drain
    private let gate: ConnectionGate
    private let stopping: Stopping

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - drain: When connections are closed.
    ///   - gate: The server's connections.
    ///   - stopping: Is set at the signal; the server's readiness reads it.
    init(_ drain: Drain, of gate: ConnectionGate, stopping: Stopping) {
        self.drain = drain
        self.gate = gate
        self.stopping = stopping
    }

    func run() async throws {
        try await gracefulShutdown()
        stopping.begin()
        try await drain.run(gate)
    }
}

/// Whether the server was asked to stop: set once by ``DrainService``, read by each request of `/ready`, on any thread.
final class Stopping: Sendable {
    private let hasBegun = Atomic<Bool>(false)

    /// Whether the server was asked to stop.
    var isStopping: Bool { hasBegun.load(ordering: .relaxed) }

    /// Records that the server was asked to stop.
    func begin() {
        hasBegun.store(true, ordering: .relaxed)
    }
}
