import YonderModel

/// Rate limits of many callers, in bounded memory: a ``TokenBucket`` for each caller with units in use.
///
/// Measured on a monotonic clock, so that a wall clock set back locks no caller out.
///
/// Endpoints of places and names, `AttemptLimiter`, `AttemptMemory` and the hub's `AnsweredPositions` have one each,
/// behind a mutex. It is a plain value, and nothing throws: ``take(_:at:)`` returns the time to wait. At the capacity
/// those with least in use are forgotten first, so a stranger with many keys can't free a caller who is over the limit
/// (`RateLimiterTests`). The capacity may be changed.
package struct RateLimiter<Key: Hashable & Sendable>: Sendable {
    private let limit: @Sendable (Key) -> RateLimit
    private let capacity: Int
    private var buckets: [Key: TokenBucket] = [:]

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - capacity: The most buckets kept. At that number, the emptier half of them stays.
    ///   - limit: The limit of a caller; always the same for the same caller.
    package init(capacity: Int = 20_000, limit: @escaping @Sendable (Key) -> RateLimit) {
        self.capacity = max(1, capacity)
        self.limit = limit
    }

    /// The number of buckets kept.
    package var count: Int { buckets.count }

    /// Uses one unit of each key's limit, or none of any.
    ///
    /// - Returns: `nil` if the units were used; otherwise the longest wait, which never exceeds the time in
    ///   which that limit's empty bucket fills.
    package mutating func take(_ keys: [Key], at now: ContinuousClock.Instant) -> Duration? {
        let waits = keys.map { wait($0, at: now) }
        if let longest = waits.max(), longest > .zero { return longest }
        for key in keys { change(key, at: now) { _ = $0.take(at: now) } }
        return nil
    }

    /// Uses units of a key's limit that were used already, even if fewer are left.
    package mutating func charge(_ count: Int, to key: Key, at now: ContinuousClock.Instant) {
        if count > 0 { change(key, at: now) { $0.charge(count, at: now) } }
    }

    private mutating func change(
        _ key: Key,
        at now: ContinuousClock.Instant,
        _ body: (inout TokenBucket) -> Void
    ) {
        if buckets[key] == nil, buckets.count >= capacity { makeRoom(at: now) }
        body(&buckets[key, default: TokenBucket(limit(key))])
    }

    /// Returns the units that one ``take(_:at:)`` used.
    package mutating func giveBack(_ keys: [Key]) {
        for key in keys { buckets[key]?.giveBack() }
    }

    /// The time until a unit of a key's limit is left, `.zero` for now; never longer than the time in which an empty
    /// bucket fills.
    package func wait(_ key: Key, at now: ContinuousClock.Instant) -> Duration {
        guard let bucket = buckets[key] else { return .zero }
        return min(bucket.wait(at: now), bucket.limit.interval * bucket.limit.burst)
    }

    /// Removes the full buckets; if there are none, the fuller half.
    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        guard buckets.count >= capacity else { return }
        let untilFull = { (bucket: TokenBucket) in bucket.wait(for: bucket.limit.burst, at: now) }
        let middle = buckets.values.map(untilFull).sorted()[buckets.count / 2]
        buckets = buckets.filter { untilFull($0.value) > middle }
    }
}
