import Logging
package import YonderRules
package import YonderGeodesy
package import YonderModel

/// All operations on accounts: signing in and out, tokens, invitations, profiles, and changes by operators.
///
/// REST, the page and the command line all use this type. A secret is returned once, when it is created.
///
/// `ServerAssembly` makes the one of a server, a command without a server its own (`ConsoleOptions`); endpoints and
/// `SignInService` call it on any thread. A refusal changes nothing. The lifetimes are promised in
/// `Documentation/rest.md` and `operations.md`; change them there, too. `AccountsService` calls `tidy()` each minute; a
/// failure keeps the uses for the next run.
///
/// That a wrong secret is counted before it is looked at must stay, and that secrets are stored as hashes alone
/// (`SessionTests`, `PasswordTests`, `AttemptLimiterTests`).
package final class Accounts: Sendable {
    /// How long a sign-in link is valid.
    package static let linkLifetime = Duration.seconds(15 * 60)

    /// How long a browser stays signed in.
    package static let sessionLifetime = Duration.seconds(90 * 86_400)

    /// How long a browser is remembered after its last sign-in.
    package static let deviceLifetime = Duration.seconds(400 * 86_400)

    /// How long a session counts as new, in place of a password that can't be checked.
    static let newness = Duration.seconds(15 * 60)

    /// How long an invitation is valid.
    package static let invitationLifetime = Duration.seconds(7 * 86_400)

    package let store: any AccountStore
    let passwords: PasswordHasher
    let log: SignInLog
    let sightings = Sightings()
    private let clock: ExpiryClock
    private let attempts: any AttemptLedger

    /// Creates the operations over a store.
    ///
    /// `clock` decides when a session, a link or an invitation expires. `attempts` decides how long to wait after
    /// failed attempts. The store tells those who serve connections of sessions and tokens that end.
    package init(
        store: any AccountStore,
        passwords: PasswordHasher = PasswordHasher(),
        attempts: any AttemptLedger = AttemptMemory(),
        clock: ExpiryClock,
        log: SignInLog
    ) {
        self.store = store
        self.passwords = passwords
        self.attempts = attempts
        self.clock = clock
        self.log = log
    }

    /// The time by which sign-ins, links and invitations expire.
    package func now() -> Timestamp { clock.now }

    /// The time at which shares end with their sign-ins.
    package func serverTime() -> Timestamp { clock.wallTime }

    /// Records the use of a credential; it is stored later, in a batch.
    package func note(_ sighting: CredentialUse) { sightings.note(sighting) }

    /// Accounts with the recorded uses of their credentials, which aren't stored yet.
    package func completing(_ accounts: [Account]) -> [Account] { sightings.completing(accounts) }

    /// Logs a change of an account by `actor`.
    package func logChange(_ what: String, of user: UserID, by actor: String) {
        log.changed(what, of: user, by: actor)
    }

    /// Runs an attempt that may fail because of its secret, and counts the attempt if it does.
    ///
    /// - Parameters:
    ///   - keys: The keys for which it counts if it fails.
    ///   - costly: The keys for which it counts if it succeeds, because it costs a hash.
    ///   - body: The attempt.
    /// - Returns: What `body` returns.
    /// - Throws: `tooManyRequests` after too many attempts; `unavailable` if attempts can't be counted; the errors of `body`.
    func attempt<Value>(
        _ keys: [AttemptLimiter.Key],
        costing costly: [AttemptLimiter.Key] = [],
        _ body: () async throws(SharingError) -> Value
    ) async throws(SharingError) -> Value {
        let (units, costs) = (keys.map(\.unit), costly.map(\.unit))
        if let wait = try await attempts.take(units + costs) {
            throw SharingError(
                .tooManyRequests,
                "Too many attempts for this account or from your address; wait for retryAfter.",
                retryAfter: wait
            )
        }
        do throws(SharingError) {
            let value = try await body()
            if !units.isEmpty { await attempts.giveBack(units) }
            return value
        } catch {
            if !costs.isEmpty { await attempts.giveBack(costs) }
            // An error with a wait means that the server was too busy to check the secret, so the attempt
            // doesn't count.
            if error.retryAfter != nil { await attempts.giveBack(units) }
            throw error
        }
    }

    /// Removes a session or token; its connections are closed.
    ///
    /// - Throws: `unavailable`.
    package func end(_ credential: SecretHash, of user: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        try await store.removeCredential(credential, of: user, at: serverTime(), under: warrant)
    }

    /// Stores the recorded uses of credentials, and removes expired credentials from the store.
    ///
    /// - Throws: `unavailable`.
    package func tidy() async throws(SharingError) {
        let seen = sightings.take()
        do throws(SharingError) {
            if !seen.isEmpty { try await store.note(seen) }
        } catch {
            for sighting in seen { sightings.note(sighting) }
            throw error
        }
        try await store.removeExpired(at: now())
    }
}

/// A user who has just signed in, with the secrets for the browser's cookies.
package struct SignedIn: Sendable {
    package let user: User
    package let session: Secret

    /// The secret by which the browser is recognized from now on.
    package let device: Secret
}
