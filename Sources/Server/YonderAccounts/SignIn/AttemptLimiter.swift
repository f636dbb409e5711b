package import YonderModel
package import YonderRules

/// Rate limits for attempts to sign in, in bounded memory.
///
/// Attempts of strangers are counted per account and per address. Attempts of known browsers and networks are
/// counted apart, so that no stranger locks their users out: per browser with which, and per network from
/// which the account was signed in before.
///
/// An attempt uses one unit of each key's limit; a success returns the units.
///
/// The keys must stay as they are said here, or strangers lock users out; servers of two versions share them.
package struct AttemptLimiter: Sendable {
    /// The key for which attempts are counted.
    package enum Key: Hashable, Sendable {
        case account(String)
        case address(String)
        case device(SecretHash)
        case network(String, of: String)

        /// The right passwords that a person sends with a change.
        case rightPassword(of: UserID)

        /// The passwords that one person sets, for themselves or, as an operator, for others.
        case passwords(by: String)

        /// The wrong passwords that a person sends with a change, in all sessions and tokens.
        case wrongPasswords(of: UserID)

        /// The sign-ins of an account with the right password.
        case signIns(of: UserID)

        /// One attempt, with the default limits.
        package var unit: AttemptUnit {
            switch self {
            case .account(let login): AttemptUnit("account \(login)", limit: AttemptLimiter.perAccount)
            case .address(let address): AttemptUnit("address \(address)", limit: AttemptLimiter.perAddress)
            case .device(let secret):
                AttemptUnit("device \(Base64URL.text(secret.bytes))", limit: AttemptLimiter.perAccount)
            case .network(let network, let login):
                AttemptUnit("network \(network) \(login)", limit: AttemptLimiter.perAccount)
            case .rightPassword(let user):
                AttemptUnit("right password \(user)", limit: AttemptLimiter.perAccount)
            case .wrongPasswords(let user):
                AttemptUnit("wrong passwords \(user)", limit: AttemptLimiter.perAddress)
            case .passwords(let author): AttemptUnit("passwords \(author)", limit: AttemptLimiter.perAddress)
            case .signIns(let user): AttemptUnit("sign-ins \(user)", limit: AttemptLimiter.perAddress)
            }
        }
    }

    /// The default limit of an account, a known browser, or a known network of an account: 10 attempts, and one more
    /// each 30 s.
    package static let perAccount = RateLimit(burst: 10, interval: .seconds(30))

    /// The default limit of an address: 60 attempts, and one more each 5 s.
    package static let perAddress = RateLimit(burst: 60, interval: .seconds(5))

    private var limiter: RateLimiter<Key>

    /// Creates a limiter that keeps at most `capacity` buckets.
    package init(
        perAccount: RateLimit = Self.perAccount,
        perAddress: RateLimit = Self.perAddress,
        capacity: Int = 20_000
    ) {
        limiter = RateLimiter(capacity: capacity) { key in
            switch key {
            case .account, .device, .network, .rightPassword: perAccount
            case .address, .passwords, .signIns, .wrongPasswords: perAddress
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
