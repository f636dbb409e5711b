import NIOPosix
import Synchronization
package import YonderModel
package import YonderRules

/// Hashes passwords with scrypt, off the event loops, a few at a time.
///
/// A hash is stored as `$scrypt$ln=17,r=8,p=1$SALT$KEY`, with salt and key in base64url, so that hashes of
/// another cost can still be verified.
///
/// A caller waits in `PasswordQueue` until there is memory.
///
/// The form of a hash must stay: stored hashes are read by it. So must the time of a wrong password, by which nobody can
/// learn whether an account exists.
package final class PasswordHasher: Sendable {
    /// Derives a key from a password, a salt and a cost.
    package typealias Derivation = @Sendable (String, [UInt8], PasswordCost) -> [UInt8]

    /// The result of verifying a password.
    package enum Verdict: Hashable, Sendable {
        case wrong
        case right
        /// The password is right, and its hash has another cost than new hashes.
        case rightWithOldHash
        /// The hash needs more memory than the limit, so that the password wasn't checked.
        case notChecked
    }

    /// The most memory for all hashes together, in bytes, where there is much.
    package static let memoryLimit = 256 << 20

    /// The cost of a new hash.
    package let cost: PasswordCost

    /// The most memory for all hashes together, in bytes, and so for one.
    package let memoryLimit: Int
    private let derive: Derivation
    private let queue: Mutex<PasswordQueue<CheckedContinuation<Bool, Never>>>

    /// Creates a hasher.
    ///
    /// - Parameters:
    ///   - cost: The cost of a new hash; if `nil`, the work of ``PasswordCost/full`` within `memoryLimit`.
    ///   - memoryLimit: The most memory for all hashes at once, in bytes; a hash that needs more isn't computed. A limit
    ///     below `cost` counts as the memory of one such hash.
    ///   - waitingLimit: The most strangers in the queue, and as many known callers; further callers are
    ///     refused.
    ///   - derive: The derivation to use instead of scrypt.
    package init(
        cost: PasswordCost? = nil,
        memoryLimit: Int = PasswordHasher.memoryLimit,
        waitingLimit: Int = 32,
        derive: Derivation? = nil
    ) {
        let cost = cost ?? PasswordCost(within: memoryLimit)
        let memoryLimit = max(memoryLimit, cost.memory)
        self.cost = cost
        self.memoryLimit = memoryLimit
        self.derive = derive ?? { PasswordHash.key($0, salt: $1, cost: $2) }
        queue = Mutex(PasswordQueue(memoryLimit: memoryLimit, waitingLimit: waitingLimit))
    }

    /// The limit for a process that may use `memory` bytes: a quarter, from ``PasswordCost/least`` to ``memoryLimit``.
    ///
    /// `nil` is a process of which that isn't known.
    package static func memoryLimit(within memory: Int?) -> Int {
        guard let memory else { return memoryLimit }
        return min(max(memory / 4, PasswordCost.least.memory), memoryLimit)
    }

    /// Whether every hash that a server writes can be checked.
    var checksAll: Bool { memoryLimit >= PasswordCost.full.memory }

    /// The bytes that checking this hash needs if they are more than the limit, else `nil`.
    func excess(of hash: String) -> Int? {
        PasswordHash(hash).map(\.cost.memory).flatMap { $0 > memoryLimit ? $0 : nil }
    }

    /// Hashes a password with a new salt.
    ///
    /// - Throws: `invalidField` unless the password has 8…1 000 bytes; `tooManyRequests` if the queue is
    ///   full.
    package func hash(_ password: String, for caller: TurnTaker) async throws(SharingError) -> String {
        guard (8...1_000).contains(password.utf8.count) else {
            throw SharingError(
                .invalidField,
                "password must have 8 to 1000 bytes; it has \(password.utf8.count)."
            )
        }
        let salt = Self.random(16)
        let (cost, derive) = (cost, derive)
        let key = try await run(cost.memory, caller) { derive(password, salt, cost) }
        return PasswordHash(cost: cost, salt: salt, key: key).text
    }

    /// Verifies a password against a hash.
    ///
    /// A wrong password always takes as long as against a new hash, even if there is no hash, or one of
    /// another cost, or one that needs more memory than the limit; but of the last a known caller is answered at once.
    ///
    /// - Throws: `tooManyRequests` if the queue is full.
    package func verify(
        _ password: String,
        against hash: String?,
        for caller: TurnTaker
    ) async throws(SharingError) -> Verdict {
        let stored = hash.flatMap(PasswordHash.init)
        let known = stored.flatMap { $0.cost.memory > memoryLimit ? nil : $0 }
        let expected = known ?? PasswordHash(cost: cost, salt: Self.random(16), key: Self.random(32))
        guard password.utf8.count <= 1_000 else { return .wrong }
        let isUnchecked = stored != nil && known == nil
        guard !(isUnchecked && caller.isKnown) else { return .notChecked }
        let (cost, derive) = (cost, derive)
        let isRight = try await run(max(expected.cost.memory, cost.memory), caller) {
            let key = derive(password, expected.salt, expected.cost)
            if Self.areEqual(key, expected.key), known != nil { return true }
            for missing in expected.cost.padding(to: cost) { _ = derive(password, expected.salt, missing) }
            return false
        }
        guard isRight else { return isUnchecked ? .notChecked : .wrong }
        return expected.cost == cost ? .right : .rightWithOldHash
    }

    private func run<Value: Sendable>(
        _ memory: Int,
        _ caller: TurnTaker,
        _ work: @escaping @Sendable () -> Value
    ) async throws(SharingError) -> Value {
        try await enter(memory, caller)
        defer { leave(memory) }
        do {
            return try await NIOThreadPool.singleton.runIfActive(work)
        } catch {
            throw SharingError(.unavailable, "The server is stopping; try again.")
        }
    }

    private func enter(_ memory: Int, _ caller: TurnTaker) async throws(SharingError) {
        let isAdmitted = await withCheckedContinuation { turn in
            switch queue.withLock({ $0.enter(memory, of: caller, ticket: turn) }) {
            case .run: turn.resume(returning: true)
            case .displace(let other): other.resume(returning: false)
            case .refuse: turn.resume(returning: false)
            case .wait: break
            }
        }
        guard isAdmitted else {
            throw SharingError(
                .tooManyRequests,
                "Too many sign-ins at once; wait for retryAfter.",
                retryAfter: .seconds(2)
            )
        }
    }

    private func leave(_ memory: Int) {
        for turn in queue.withLock({ $0.leave(memory) }) { turn.resume(returning: true) }
    }

    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Compares in a time that depends only on the lengths.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
