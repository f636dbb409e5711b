import ServiceLifecycle
import Synchronization
import YonderTransport

/// Closes the connections of a server that stops one after the other, so that clients move to other servers.
///
/// It must be the first service to be shut down, and so the last in the list of services.
final class DrainService: Service {
    private let drain: Drain
    private let gate: ConnectionGate
    private let stopping: Stopping

    /// Creates the service.
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

/// Whether the server was asked to stop.
final class Stopping: Sendable {
    private let hasBegun = Atomic<Bool>(false)

    /// Whether the server was asked to stop.
    var isStopping: Bool { hasBegun.load(ordering: .relaxed) }

    /// Records that the server was asked to stop.
    func begin() {
        hasBegun.store(true, ordering: .relaxed)
    }
}
