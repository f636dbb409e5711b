package import YonderModel

/// How often sign-in may be tried, in bounded memory.
///
/// Strangers are counted per account and per address. Whoever is known is counted apart, so that no stranger's attempts
/// lock them out: per browser that the account was signed in with before, and per network that it was signed in from.
///
/// An attempt uses one unit of each of its keys' limits, a success returns them.
package struct AttemptLimiter: Sendable {
    /// Whose attempts are counted.
    package enum Key: Hashable, Sendable {
        case account(String)
        case address(String)
        case device(SecretHash)
        case network(String, of: String)
    }

    private var limiter: RateLimiter<Key>

    /// Creates a limiter that keeps at most `capacity` buckets.
    package init(
        perAccount: RateLimit = RateLimit(burst: 10, interval: .seconds(30)),
        perAddress: RateLimit = RateLimit(burst: 60, interval: .seconds(5)),
        capacity: Int = 20_000
    ) {
        limiter = RateLimiter(capacity: capacity) { key in
            switch key {
            case .account, .device, .network: perAccount
            case .address: perAddress
            }
        }
    }

    /// How many buckets are kept.
    package var count: Int { limiter.count }

    /// Counts an attempt for each key, or for none.
    ///
    /// - Returns: `nil` if the attempt may be made; otherwise how long to wait.
    package mutating func attempt(_ keys: [Key], at now: ContinuousClock.Instant) -> Duration? {
        limiter.take(keys, at: now)
    }

    /// Takes back what an attempt counted.
    package mutating func succeed(_ keys: [Key]) {
        limiter.giveBack(keys)
    }
}
