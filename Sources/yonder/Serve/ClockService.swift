import ServiceLifecycle
import YonderRules

/// Measures the database's time until the server stops.
struct ClockService: Service {
    let clock: DatabaseClock

    func run() async throws {
        let clock = clock
        do {
            try await cancelWhenGracefulShutdown { try await clock.run() }
        } catch is CancellationError {}
    }
}
