import Synchronization
import YonderGeodesy
import YonderModel

/// When sign-ins were last used, until the store is told: once a minute and not at every request.
final class Sightings: Sendable {
    /// How many are kept; beyond, those that come are forgotten.
    static let limit = 10_000

    private let waiting = Mutex<[SecretHash: CredentialUse]>([:])

    func note(_ sighting: CredentialUse) {
        waiting.withLock { waiting in
            guard waiting.count < Self.limit || waiting[sighting.credential] != nil else { return }
            waiting[sighting.credential] = sighting
        }
    }

    /// Gives those that wait, which then wait no longer.
    func take() -> [CredentialUse] {
        waiting.withLock { waiting in
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    /// A credential with what waits to be stored of it.
    func completing(_ credential: Credential) -> Credential {
        guard let sighting = waiting.withLock({ $0[credential.secret] }) else { return credential }
        var seen = credential
        seen.lastSeen = sighting.time
        seen.network = sighting.network ?? credential.network
        return seen
    }

    /// Accounts with what waits to be stored of them.
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
