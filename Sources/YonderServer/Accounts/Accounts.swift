import Logging
import Synchronization
import YonderGeodesy
package import YonderModel

/// What happens to accounts: signing in and out, tokens, invitations, profiles, and what operators do.
///
/// REST, the page and the command line all go through here. Secrets leave it once, when they are made.
package final class Accounts: Sendable {
    /// How long a sign-in link is good.
    package static let linkLifetime = Duration.seconds(15 * 60)

    /// How long a browser stays signed in.
    package static let sessionLifetime = Duration.seconds(90 * 86_400)

    /// How long a browser is known after its last sign-in.
    package static let deviceLifetime = Duration.seconds(400 * 86_400)

    /// How many browsers of a user's are known; the one known longest is forgotten first.
    static let deviceLimit = 20

    /// How long an invitation is good.
    package static let invitationLifetime = Duration.seconds(7 * 86_400)

    /// What stopped being good, so that what it opened is closed.
    package enum End: Sendable {
        /// These sessions and tokens.
        case credentials(Set<SecretHash>)
        /// Everything of a user's.
        case user(UserID)
    }

    package let store: any AccountStore
    let passwords: PasswordHasher
    let log: SignInLog
    let sightings = Sightings()
    private let clock: ExpiryClock
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let attempts: Mutex<AttemptLimiter>
    private let ended: @Sendable (End) -> Void

    /// Creates the rules over a store.
    ///
    /// `clock` says when a session, a link or an invitation ends, `uptime` how long to wait after failed attempts.
    /// `ended` is called when sessions or tokens stop being good, so that what they opened can be closed.
    package init(
        store: any AccountStore,
        passwords: PasswordHasher = PasswordHasher(),
        attempts: AttemptLimiter = AttemptLimiter(),
        clock: ExpiryClock,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        log: SignInLog,
        ended: @escaping @Sendable (End) -> Void = { _ in }
    ) {
        self.store = store
        self.passwords = passwords
        self.attempts = Mutex(attempts)
        self.clock = clock
        self.uptime = uptime
        self.log = log
        self.ended = ended
    }

    /// The time by which sign-ins, links and invitations end.
    func now() -> Timestamp { clock.now }

    /// Takes note that a sign-in was used; the store is told later.
    package func note(_ sighting: CredentialUse) { sightings.note(sighting) }

    /// Runs an attempt that may fail for its secret, and counts it if it does.
    ///
    /// - Throws: `tooManyRequests` if there were too many; what `body` throws.
    func attempt<Value>(
        _ keys: [AttemptLimiter.Key],
        _ body: () async throws(SharingError) -> Value
    ) async throws(SharingError) -> Value {
        let moment = uptime()
        if let wait = attempts.withLock({ $0.attempt(keys, at: moment) }) {
            throw SharingError(.tooManyRequests, "Too many attempts.", retryAfter: wait)
        }
        do throws(SharingError) {
            let value = try await body()
            attempts.withLock { $0.succeed(keys) }
            return value
        } catch {
            // Nothing was learned of the secret when the server had too much to do.
            if error.retryAfter != nil { attempts.withLock { $0.succeed(keys) } }
            throw error
        }
    }

    /// Removes a session or token, and closes what it opened.
    ///
    /// - Throws: `unavailable`.
    package func end(_ credential: SecretHash, of user: UserID) async throws(SharingError) {
        try await store.removeCredential(credential, of: user)
        close(.credentials([credential]))
    }

    /// Closes what was opened by what stopped being good.
    func close(_ end: End) { ended(end) }

    /// Tells the store who was seen, and removes from it what is over.
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

/// A user who has just been signed in, and the secrets for their cookies.
package struct SignedIn: Sendable {
    package let user: User
    package let session: Secret

    /// By which the browser is known from now on.
    package let device: Secret
}
