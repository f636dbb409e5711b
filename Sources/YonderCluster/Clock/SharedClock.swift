package import YonderGeodesy

/// The time of a clock elsewhere, as estimated from samples, that never goes backwards.
///
/// Between two measurements it runs with this machine's monotonic clock. A clock that is ahead runs at half its speed
/// until it is right; one that is behind by less than a second runs faster by half, and otherwise steps forward.
package struct SharedClock: Sendable {
    /// A change or an uncertainty above which an operator should know.
    package static let warning = Duration.milliseconds(250)

    /// An uncertainty or error above which a server isn't ready.
    package static let limit = Duration.seconds(2)

    /// The time after which a measurement counts for nothing: six times the interval between measurements.
    private static let lifetime = Duration.seconds(60)

    /// The most that the clocks of two machines drift apart: 100 µs a second.
    private static let drift = 10_000

    /// The clock's state for people and programs.
    package struct State: Hashable, Sendable {
        /// How far the clock is from the best estimate: the part of a change that isn't made up for yet.
        package let error: Duration

        /// The greatest error of the best estimate, with the drift since it was measured.
        package let uncertainty: Duration

        /// Whether an operator should know.
        package var isDoubtful: Bool { error + uncertainty > SharedClock.warning }

        /// Whether the time is good enough to serve.
        package var isReady: Bool { error + uncertainty <= SharedClock.limit }
    }

    /// The estimate: the newest round's sample with the least round trip.
    private var sample: ClockSample

    /// The last time that was told, and when.
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

    /// Takes the samples of a further measurement.
    ///
    /// Worse samples than the present estimate, with its age, are ignored.
    ///
    /// - Returns: How much the estimate changed.
    @discardableResult
    package mutating func measure(_ samples: [ClockSample], at now: ContinuousClock.Instant) -> Duration {
        guard let best = Self.best(samples), best.uncertainty <= uncertainty(at: now) else { return .zero }
        _ = time(at: now)
        let change = Self.distance(best.time(at: now), sample.time(at: now))
        sample = best
        return change
    }

    /// The time: the estimate, approached at most as fast as the type says.
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

    /// How good the clock is.
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
