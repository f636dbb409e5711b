import YonderModel

/// A rate limit: how many units may be used at once, and how fast used units come back.
///
/// Settings and constants make one, ``TokenBucket`` counts by it. A burst below 1 is the caller's mistake, so settings
/// check it before. Equal limits must be equal on all servers of a database, which count together (`TokenBucketTests`).
package struct RateLimit: Hashable, Sendable {
    /// How many units a rested caller may use at once: 1 or more.
    package let burst: Int

    /// The time in which one used unit comes back: longer than zero.
    package let interval: Duration

    /// Creates a limit by the time in which one unit comes back.
    ///
    /// - Precondition: `burst >= 1` and `interval > .zero`.
    package init(burst: Int, interval: Duration) {
        precondition(burst >= 1 && interval > .zero, "A rate limit needs a burst and an interval above zero.")
        self.burst = burst
        self.interval = interval
    }

    /// Creates a limit by the units that come back in a second.
    ///
    /// - Precondition: `burst >= 1` and `perSecond >= 1`.
    package init(burst: Int, perSecond: Int) {
        precondition(perSecond >= 1, "A rate limit needs at least one unit a second.")
        self.init(burst: burst, interval: .nanoseconds(1_000_000_000 / Int64(perSecond)))
    }
}
