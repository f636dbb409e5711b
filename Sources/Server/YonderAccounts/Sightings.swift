import Synchronization
import YonderGeodesy
import YonderModel
import YonderRules

/// Recent uses of credentials, collected so that the store is written once a minute and not at every request.
///
/// `Accounts` has one: each request notes a use, and `tidy()` stores all once a minute. Beyond the limit, and when the
/// process is killed, uses are lost: a list of sessions then shows an earlier time, and nothing else depends on it. The
/// limit may be changed.
final class Sightings: Sendable {
    /// The most uses kept; further ones are dropped.
    static let limit = 10_000

    private let waiting = Mutex<[SecretHash: CredentialUse]>([:])

    func note(_ sighting: CredentialUse) {
        waiting.withLock { waiting in
            guard waiting.count < Self.limit || waiting[sighting.credential] != nil else { return }
            waiting[sighting.credential] = sighting
        }
    }

    /// Returns all collected uses, and clears them.
    func take() -> [CredentialUse] {
        waiting.withLock { waiting in
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    /// A credential with its collected use, which isn't stored yet.
    func completing(_ credential: Credential) -> Credential {
        guard let sighting = waiting.withLock({ $0[credential.secret] }) else { return credential }
        var seen = credential
        seen.lastSeen = sighting.time
        seen.network = sighting.network ?? credential.network
        return seen
    }

    /// Accounts with their collected uses, which aren't stored yet.
    func completing(_ accounts: [Account]) -> [Account] {
        let waiting = waiting.withLock(\.self).values
        var newest: [UserID: Timestamp] = [:]
        for sighting in waiting {
            newest[sighting.user] = max(newest[sighting.user] ?? sighting.time, sighting.time)
        }
        return accounts.map { account in
            var seen = account
            if let time = newest[account.user.id] { seen.lastSeen = max(account.lastSeen ?? time, time) }
            return seen
        }
    }
}
