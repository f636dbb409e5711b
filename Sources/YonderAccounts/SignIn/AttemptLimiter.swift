package import YonderModel

/// Rate limits for attempts to sign in, in bounded memory.
///
/// Attempts of strangers are counted per account and per address. Attempts of known browsers and networks are
/// counted apart, so that no stranger locks their users out: per browser with which, and per network from
/// which the account was signed in before.
///
/// An attempt uses one unit of each key's limit; a success returns the units.
package struct AttemptLimiter: Sendable {
    /// The key for which attempts are counted.
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

    /// The number of buckets kept.
    package var count: Int { limiter.count }

    /// Counts an attempt for every key, or for none.
    ///
    /// - Returns: `nil` if the attempt may be made; otherwise the time to wait.
    package mutating func attempt(_ keys: [Key], at now: ContinuousClock.Instant) -> Duration? {
        limiter.take(keys, at: now)
    }

    /// Returns the units that an attempt used.
    package mutating func succeed(_ keys: [Key]) {
        limiter.giveBack(keys)
    }
}
