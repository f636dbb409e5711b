import YonderModel
import YonderRules

/// The rate limit of one connection in the world: entering and each packet take a unit.
///
/// Belongs to the connection's event loop.
package final class WorldAllowance {
    private var bucket: TokenBucket?

    /// Creates the allowance of a new connection.
    package init() {}

    /// Takes a unit, of `rate` a second in bursts of as many.
    ///
    /// - Returns: Whether there was one.
    func take(of rate: Int, at now: ContinuousClock.Instant) -> Bool {
        if bucket == nil { bucket = TokenBucket(RateLimit(burst: rate, perSecond: rate)) }
        return bucket?.take(at: now) == nil
    }
}
