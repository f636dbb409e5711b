package import YonderModel
import YonderRules

/// The accounts whose passwords a server doesn't check, because their hashes need more memory than its limit.
///
/// `ServerProcess` asks at the start and warns the operator in the log. It reads every account once; a failure is
/// `unavailable`, and the server starts all the same. That such accounts still sign in by links is in
/// `Documentation/operations.md` (`LargerServerTests`).
package struct UncheckedPasswords: Hashable, Sendable {
    /// How many accounts there are.
    package internal(set) var count = 0

    /// The bytes with which all of them could be checked.
    package internal(set) var memory = 0

    /// Counts the hash of one account if it needs `excess` bytes, more than the limit.
    mutating func add(_ excess: Int?) {
        guard let excess else { return }
        count += 1
        memory = max(memory, excess)
    }
}

extension Accounts {
    /// Counts the accounts whose passwords this server doesn't check.
    ///
    /// Reads all accounts, 500 at a time, unless the limit is large enough for every hash.
    ///
    /// - Throws: `unavailable`.
    package func uncheckedPasswords() async throws(SharingError) -> UncheckedPasswords {
        var unchecked = UncheckedPasswords()
        guard !passwords.checksAll else { return unchecked }
        var place: AccountPlace?
        repeat {
            let page = try await store.accounts(after: place, limit: 500)
            for account in page { unchecked.add(account.passwordHash.flatMap(passwords.excess)) }
            place = page.last?.place
        } while place != nil
        return unchecked
    }
}
