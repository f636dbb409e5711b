import Synchronization
package import YonderModel

/// Rate limits of attempts in the memory of one server, bounded in number.
///
/// `Accounts` and the exchange count in one where no database is shared; `PostgreSQLStore` is the other implementation,
/// and both decide alike (`AttemptMemoryTests`, `SharedLimitTests`). Never `unavailable`. A restart forgets all counts.
/// The number of buckets may be changed.
package final class AttemptMemory: AttemptLedger {
    private let limiter: Mutex<RateLimiter<AttemptUnit>>
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// Creates an empty ledger.
    ///
    /// - Parameters:
    ///   - capacity: The most buckets that are kept.
    ///   - uptime: The monotonic time.
    package init(
        capacity: Int = 20_000,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        limiter = Mutex(RateLimiter(capacity: capacity) { $0.limit })
        self.uptime = uptime
    }

    /// See ``AttemptLedger/take(_:)``.
    package func take(_ units: [AttemptUnit]) async throws(SharingError) -> Duration? {
        let now = uptime()
        return limiter.withLock { $0.take(units, at: now) }
    }

    /// See ``AttemptLedger/giveBack(_:)``.
    package func giveBack(_ units: [AttemptUnit]) async {
        limiter.withLock { $0.giveBack(units) }
    }
}
