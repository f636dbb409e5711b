import ServiceLifecycle
import YonderRules

/// Measures the database's time, by which servers of one database agree on what has expired, until the server stops.
///
/// `ServerProcess` runs one over PostgreSQL, before the application, so that it ends after the last request. A measurement
/// that fails is logged by the clock, which goes on with a growing uncertainty; this service itself never throws. When to
/// measure, and when to warn, is decided in `DatabaseClock`.
struct ClockService: Service {
    let clock: DatabaseClock

    func run() async throws {
        let clock = clock
        do {
            try await cancelWhenGracefulShutdown { try await clock.run() }
        } catch is CancellationError {}
    }
}
