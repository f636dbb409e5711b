package import YonderGeodesy

/// How often somebody may try to sign in: per account and per address, in bounded memory.
///
/// Each has a bucket of attempts that fills again over time. An attempt takes one from each of its buckets, a success
/// puts them back.
package struct AttemptLimiter: Sendable {
    /// Whose attempts are counted.
    package enum Key: Hashable, Sendable {
        case account(String)
        case address(String)
    }

    /// How many attempts a full bucket holds, and how long one takes to come back.
    package struct Allowance: Sendable {
        package var burst: Int
        package var interval: Duration

        package init(burst: Int, interval: Duration) {
            self.burst = burst
            self.interval = interval
        }
    }

    private let perAccount: Allowance
    private let perAddress: Allowance
    private let capacity: Int

    /// When each bucket will be full again; one that is full isn't kept.
    private var fullAt: [Key: Timestamp] = [:]

    /// Creates a limiter that keeps at most `capacity` buckets.
    package init(
        perAccount: Allowance = Allowance(burst: 10, interval: .seconds(30)),
        perAddress: Allowance = Allowance(burst: 60, interval: .seconds(5)),
        capacity: Int = 20_000
    ) {
        self.perAccount = perAccount
        self.perAddress = perAddress
        self.capacity = capacity
    }

    /// How many buckets aren't full, as far as is known.
    package var count: Int { fullAt.count }

    /// Takes one attempt from each bucket; or none, and answers how long to wait.
    package mutating func attempt(_ keys: [Key], at now: Timestamp) -> Duration? {
        let waits = keys.map { wait($0, now) }
        if let longest = waits.max(), longest > .zero { return longest }
        for key in keys { take(key, now) }
        return nil
    }

    /// Puts back what an attempt took.
    package mutating func succeed(_ keys: [Key]) {
        for key in keys { fullAt[key] = fullAt[key].map { $0 - allowance(key).interval } }
    }

    private func wait(_ key: Key, _ now: Timestamp) -> Duration {
        guard let full = fullAt[key] else { return .zero }
        let allowance = allowance(key)
        let available = now.advanced(by: allowance.interval * (allowance.burst - 1))
        return full > available ? full - available : .zero
    }

    private mutating func take(_ key: Key, _ now: Timestamp) {
        if fullAt[key] == nil, fullAt.count >= capacity { makeRoom(now) }
        fullAt[key] = max(fullAt[key] ?? now, now) + allowance(key).interval
    }

    private func allowance(_ key: Key) -> Allowance {
        switch key {
        case .account: perAccount
        case .address: perAddress
        }
    }

    /// Forgets the buckets that are full again, or else the half that comes next: those with the fewest attempts.
    private mutating func makeRoom(_ now: Timestamp) {
        fullAt = fullAt.filter { $0.value > now }
        guard fullAt.count >= capacity else { return }
        let middle = fullAt.values.sorted()[capacity / 2]
        fullAt = fullAt.filter { $0.value > middle }
    }
}
