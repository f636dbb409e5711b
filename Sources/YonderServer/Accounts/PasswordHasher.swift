import Crypto
import CryptoExtras
import Foundation
import NIOPosix
import Synchronization
package import YonderModel

/// Hashes passwords with scrypt, off the event loops, a few at a time.
///
/// A hash stands as `$scrypt$ln=15,r=8,p=1$SALT$KEY`, with salt and key in base64url, so that hashes of an older cost
/// can still be checked.
package final class PasswordHasher: Sendable {
    private struct Queue {
        var running = 0
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    /// The binary logarithm of scrypt's `N`; 15 takes 32 MiB and about a tenth of a second.
    package let cost: Int
    private let queue = Mutex(Queue())
    private let concurrency: Int
    private let waitingLimit: Int

    /// Creates a hasher.
    ///
    /// - Parameters:
    ///   - cost: The binary logarithm of scrypt's `N`, in `1...17`.
    ///   - concurrency: How many run at once.
    ///   - waitingLimit: How many may wait beyond those; the next one is refused.
    package init(cost: Int = 15, concurrency: Int = 2, waitingLimit: Int = 32) {
        precondition(PasswordHash.costs.contains(cost), "scrypt's cost is out of range")
        self.cost = cost
        self.concurrency = concurrency
        self.waitingLimit = waitingLimit
    }

    /// Hashes a password with a new salt.
    ///
    /// - Throws: `invalidField` unless it has 8…1 000 bytes; `tooManyRequests` if too many wait.
    package func hash(_ password: String) async throws(SharingError) -> String {
        guard (8...1_000).contains(password.utf8.count) else {
            throw SharingError(.invalidField, "A password has 8 to 1000 bytes.")
        }
        let salt = Self.random(16)
        let cost = cost
        let key = try await run { PasswordHash.key(password, salt: salt, cost: cost) }
        return PasswordHash(cost: cost, salt: salt, key: key).text
    }

    /// Whether `password` is the one of `hash`; where there is no hash it takes as long and answers `false`.
    ///
    /// - Throws: `tooManyRequests` if too many wait.
    package func verify(_ password: String, against hash: String?) async throws(SharingError) -> Bool {
        let known = hash.flatMap(PasswordHash.init)
        let expected = known ?? PasswordHash(cost: cost, salt: Self.random(16), key: Self.random(32))
        guard password.utf8.count <= 1_000 else { return false }
        let key = try await run { PasswordHash.key(password, salt: expected.salt, cost: expected.cost) }
        return Self.areEqual(key, expected.key) && known != nil
    }

    private func run(_ work: @escaping @Sendable () -> [UInt8]) async throws(SharingError) -> [UInt8] {
        try await enter()
        defer { leave() }
        do {
            return try await NIOThreadPool.singleton.runIfActive(work)
        } catch {
            throw SharingError(.unavailable, "The server is going down.")
        }
    }

    private func enter() async throws(SharingError) {
        let isAdmitted = await withCheckedContinuation { turn in
            let outcome: Bool? = queue.withLock { queue in
                if queue.running < concurrency {
                    queue.running += 1
                    return true
                }
                guard queue.waiting.count < waitingLimit else { return false }
                queue.waiting.append(turn)
                return nil
            }
            if let outcome { turn.resume(returning: outcome) }
        }
        guard isAdmitted else {
            throw SharingError(.tooManyRequests, "Too many sign-ins at once.", retryAfter: .seconds(2))
        }
    }

    private func leave() {
        let next = queue.withLock { queue in
            guard queue.waiting.isEmpty else { return Optional(queue.waiting.removeFirst()) }
            queue.running -= 1
            return nil
        }
        next?.resume(returning: true)
    }

    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Compares in a time that depends on the lengths alone.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
