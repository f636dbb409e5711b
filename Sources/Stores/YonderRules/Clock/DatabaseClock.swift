import Synchronization
package import YonderGeodesy
package import YonderModel

/// This server's time: the database's, as measured every 10 s, and the monotonic clock between measurements.
///
/// No order depends on a clock. This clock keeps the times that several servers write and compare near each other.
///
/// `ServerProcess` makes one for a server over PostgreSQL, before all else, and `ClockService` runs it; all parts of the
/// server ask it for the time, on any thread. A measurement that fails leaves the estimate, with an uncertainty that
/// grows, until the server isn't ready. How the time approaches the estimate is decided in ``SharedClock`` (decision 35,
/// `DatabaseClockTests`). ``interval`` may be changed.
package final class DatabaseClock: Sendable {
    /// The time between two measurements.
    package static let interval = Duration.seconds(10)

    /// The number of samples of a measurement, of which only the one with the least round trip is used.
    private static let count = 3

    private struct State {
        var clock: SharedClock
        var isDoubtful = false
    }

    private let state: Mutex<State>
    private let sample: @Sendable () async throws(SharingError) -> ClockSample
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async throws -> Void
    private let warn: @Sendable (String) -> Void

    /// Measures the database's clock for the first time.
    ///
    /// - Parameters:
    ///   - sample: Asks the database for its time.
    ///   - uptime: The monotonic time, which the samples use.
    ///   - sleep: Waits for a time; throws when cancelled.
    ///   - warn: Called with warnings for operators.
    /// - Throws: `unavailable` if the database doesn't answer.
    package init(
        sample: @escaping @Sendable () async throws(SharingError) -> ClockSample,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await ContinuousClock().sleep(for: $0)
        },
        warn: @escaping @Sendable (String) -> Void
    ) async throws(SharingError) {
        var samples: [ClockSample] = []
        for _ in 0..<Self.count { samples.append(try await sample()) }
        guard let clock = SharedClock(samples, at: uptime()) else {
            throw SharingError(.unavailable, "The database's time can't be measured.")
        }
        state = Mutex(State(clock: clock))
        self.sample = sample
        self.uptime = uptime
        self.sleep = sleep
        self.warn = warn
    }

    /// The time; never earlier than a time that was returned before.
    package var now: Timestamp {
        let moment = uptime()
        return state.withLock { $0.clock.time(at: moment) }
    }

    /// Whether the time is within 2 s of the database's: the known error and the uncertainty together.
    package var isReady: Bool {
        let moment = uptime()
        return state.withLock { $0.clock.state(at: moment).isReady }
    }

    /// Measures every 10 s, until cancelled.
    package func run() async throws {
        while true {
            try await sleep(Self.interval)
            await measure()
        }
    }

    /// Measures once; the uncertainty grows with the time since the last answer.
    package func measure() async {
        var samples: [ClockSample] = []
        for _ in 0..<Self.count {
            if let sample = try? await sample() { samples.append(sample) }
        }
        let moment = uptime()
        let warning: String? = state.withLock { state in
            let change = state.clock.measure(samples, at: moment)
            let isDoubtful = change > SharedClock.warning || state.clock.state(at: moment).isDoubtful
            defer { state.isDoubtful = isDoubtful }
            guard isDoubtful, !state.isDoubtful else { return nil }
            let uncertainty = state.clock.state(at: moment).uncertainty
            return
                "The time of this server and the database's differ: changed by \(change), uncertain by \(uncertainty)"
        }
        if let warning { warn(warning) }
    }
}
