/// Schedules the removal of erased content from the files, as a plain value without clock or disk.
///
/// Invariants:
///
/// 1. Erased content leaves the files within ``deadline``, unless a reader or the disk prevents it.
/// 2. Rounds begin at least ``pause`` apart, however much is erased, because each empties the writer's cache.
/// 3. While a reader prevents rounds, attempts are at least ``shortestRetry`` apart, and at most ``longestRetry``.
///
/// `SQLiteStore` has one behind a mutex: erasing writes note it, and `maintain(pause:)` begins a round when it says so,
/// and says how it went. It is a plain value, and nothing throws. ``deadline`` is promised in
/// `Documentation/operations.md`; the other times may be changed within it (decision 15, `StoreHealthTests`,
/// `ErasingCostTests`).
struct Erasure {
    /// The time within which erased content must be removed.
    static let deadline = Duration.seconds(60)
    /// The time for which erasures are collected before a round.
    static let gathering = Duration.seconds(4)
    /// The least time between the ends of two rounds.
    static let pause = Duration.seconds(20)
    /// The time after the first failed attempt.
    static let shortestRetry = Duration.milliseconds(500)
    /// The most time between two attempts.
    static let longestRetry = Duration.seconds(8)

    private var pendingSince: ContinuousClock.Instant?
    private var lastEnd: ContinuousClock.Instant?
    private var nextAttempt: ContinuousClock.Instant?
    private var retry = shortestRetry

    /// Whether erased content may remain in the files.
    var isPending: Bool { pendingSince != nil }

    /// Call this when content was erased.
    mutating func note(at now: ContinuousClock.Instant) {
        if pendingSince == nil { pendingSince = now }
    }

    /// Begins a round if it is due.
    ///
    /// - Returns: The time of the earliest erasure that the round removes; `nil` if no round is due.
    mutating func begin(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let since = pendingSince, now - since >= Self.gathering else { return nil }
        guard lastEnd.map({ now - $0 >= Self.pause }) ?? true else { return nil }
        guard nextAttempt.map({ now >= $0 }) ?? true else { return nil }
        pendingSince = nil
        return since
    }

    /// Ends a round that removed all erased content.
    mutating func succeed(at now: ContinuousClock.Instant) {
        lastEnd = now
        nextAttempt = nil
        retry = Self.shortestRetry
    }

    /// Ends a round that a reader or the disk prevented.
    mutating func fail(since: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
        pendingSince = min(since, pendingSince ?? since)
        nextAttempt = now + retry
        retry = min(retry * 2, Self.longestRetry)
    }
}
