import YonderModel

/// The units that one caller has left of a ``RateLimit``, on a monotonic clock.
///
/// Don't use the wall clock here: if it is set back by a day, callers are locked out for a day. No wait is
/// ever longer than the time in which an empty bucket fills, even if the clock jumps; after ``charge(_:at:)``,
/// no longer than twice that time.
///
/// The state is one instant: the time at which the bucket will be full again.
///
/// ``RateLimiter``, `WriteAllowance`, sessions and the world count with it, each under its own mutex or loop. Nothing
/// throws; a refusal is the time to wait, and uses nothing. The two bounds of the wait must stay (`TokenBucketTests`,
/// with clocks that jump).
package struct TokenBucket: Sendable {
    /// The limit that this bucket holds its caller to.
    package let limit: RateLimit

    private var fullAt: ContinuousClock.Instant?

    /// Creates a full bucket.
    package init(_ limit: RateLimit) {
        self.limit = limit
    }

    /// Uses `count` units if that many are left.
    ///
    /// A full bucket grants more units than the burst, and then takes accordingly longer to fill; otherwise
    /// such a request could never succeed.
    ///
    /// - Returns: `nil` if the units were used; otherwise the time to wait, and no unit was used.
    package mutating func take(_ count: Int = 1, at now: ContinuousClock.Instant) -> Duration? {
        let wait = wait(for: count, at: now)
        guard wait == .zero else { return wait }
        fullAt = busyUntil(now).advanced(by: limit.interval * count)
        return nil
    }

    /// Uses `count` units that the caller has used elsewhere, even if fewer are left.
    ///
    /// What is lacking must come back first; at most a burst is ever lacking.
    package mutating func charge(_ count: Int, at now: ContinuousClock.Instant) {
        guard count > 0 else { return }
        let (busy, filling) = (busyUntil(now), limit.interval * limit.burst)
        let lowest = now + filling + filling
        // A single larger use may lack more already.
        fullAt = max(busy, min(lowest, busy + limit.interval * min(count, limit.burst)))
    }

    /// Uses one unit in advance, for a caller who waits until that unit has come back.
    ///
    /// - Returns: The time for which the caller must wait, `.zero` if a unit is left now; `nil`, and no unit
    ///   was used, if that time is longer than `patience`.
    package mutating func reserve(patience: Duration, at now: ContinuousClock.Instant) -> Duration? {
        let wait = wait(at: now)
        guard wait <= patience else { return nil }
        fullAt = busyUntil(now).advanced(by: limit.interval)
        return wait
    }

    /// The time until `count` units are left; `.zero` if they are left now.
    package func wait(for count: Int = 1, at now: ContinuousClock.Instant) -> Duration {
        let needed = min(count, limit.burst)
        let missing = now.duration(to: busyUntil(now)) - limit.interval * (limit.burst - needed)
        return max(.zero, missing)
    }

    /// Returns `count` units that were used.
    package mutating func giveBack(_ count: Int = 1) {
        fullAt = fullAt.map { $0.advanced(by: limit.interval * -count) }
    }

    /// Whether the bucket is full.
    package func isFull(at now: ContinuousClock.Instant) -> Bool {
        busyUntil(now) <= now
    }

    /// The time at which the bucket is full again, never before `now`.
    private func busyUntil(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        max(now, fullAt ?? now)
    }
}
