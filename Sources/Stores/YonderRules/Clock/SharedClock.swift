package import YonderGeodesy
import YonderModel

/// A clock that follows another clock, as estimated from samples, and never goes backwards.
///
/// Between two measurements it runs with this machine's monotonic clock. If it is ahead of the estimate, it runs at half
/// speed until both agree. If it is behind by up to a second, it runs faster by half; if it is behind by more, it steps
/// forward.
///
/// `DatabaseClock` has one behind a mutex and passes it a measurement every ten seconds; every other part gets the
/// server's time by ``time(at:)``. It is a plain value, and nothing throws. That the time never goes back must stay,
/// since messages have the order of their times. ``limit`` and ``warning`` are promised in `Documentation/cluster.md`;
/// speeds and ``lifetime`` may be changed (decision 35, `SharedClockTests`).
package struct SharedClock: Sendable {
    /// A change of the estimate, or an error with its uncertainty, above which the operator is warned.
    package static let warning = Duration.milliseconds(250)

    /// An error with its uncertainty above which a server isn't ready.
    package static let limit = Duration.seconds(2)

    /// The age from which on a measurement isn't used: six times the interval between measurements.
    private static let lifetime = Duration.seconds(60)

    /// The greatest drift between the clocks of two machines, as a divisor of the time: 1/10 000, which is 100 µs a second.
    private static let drift = 10_000

    /// How near the clock is to the other clock.
    package struct State: Hashable, Sendable {
        /// The difference between the clock and the best estimate: the part of a change to which the clock hasn't caught
        /// up yet.
        package let error: Duration

        /// The greatest error of the best estimate, with the drift since its measurement; a day if the measurement is
        /// too old.
        package let uncertainty: Duration

        /// Whether the operator is warned.
        package var isDoubtful: Bool { error + uncertainty > SharedClock.warning }

        /// Whether the time is near enough for a server to be ready.
        package var isReady: Bool { error + uncertainty <= SharedClock.limit }
    }

    /// The estimate: the newest round's sample with the least round trip.
    private var sample: ClockSample

    /// The last time that was returned, and the monotonic time of that call.
    private var shown: Timestamp
    private var shownAt: ContinuousClock.Instant

    /// Creates a clock by its first samples; `nil` without samples.
    package init?(_ samples: [ClockSample], at now: ContinuousClock.Instant) {
        guard let best = Self.best(samples) else { return nil }
        sample = best
        shown = best.time(at: now)
        shownAt = now
    }

    private static func best(_ samples: [ClockSample]) -> ClockSample? {
        samples.min { $0.roundTrip < $1.roundTrip }
    }

    /// Receives the samples of a further measurement.
    ///
    /// The best of the samples is ignored if it is less certain than the present estimate is at its age.
    ///
    /// - Returns: The change of the estimate.
    @discardableResult
    package mutating func measure(_ samples: [ClockSample], at now: ContinuousClock.Instant) -> Duration {
        guard let best = Self.best(samples), best.uncertainty <= uncertainty(at: now) else { return .zero }
        _ = time(at: now)
        let change = Self.distance(best.time(at: now), sample.time(at: now))
        sample = best
        return change
    }

    /// The time: the estimate, approached at the speeds in the type's documentation.
    package mutating func time(at now: ContinuousClock.Instant) -> Timestamp {
        let passed = max(now - shownAt, .zero)
        let right = sample.time(at: now)
        let free = shown + passed
        if right < free {
            shown = max(right, shown + passed / 2)
        } else if right - free > .seconds(1) {
            shown = right
        } else {
            shown = min(right, free + passed / 2)
        }
        shownAt = max(now, shownAt)
        return shown
    }

    /// How near the clock is to the other clock.
    package func state(at now: ContinuousClock.Instant) -> State {
        let free = shown + max(now - shownAt, .zero)
        return State(error: Self.distance(free, sample.time(at: now)), uncertainty: uncertainty(at: now))
    }

    private func uncertainty(at now: ContinuousClock.Instant) -> Duration {
        let age = max(now - sample.received, .zero)
        guard age < Self.lifetime else { return .seconds(86_400) }
        return sample.uncertainty + age / Self.drift
    }

    private static func distance(_ one: Timestamp, _ other: Timestamp) -> Duration {
        one > other ? one - other : other - one
    }
}
