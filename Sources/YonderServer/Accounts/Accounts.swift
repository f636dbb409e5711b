import Synchronization
import YonderGeodesy
package import YonderModel

/// What happens to accounts: signing in and out, tokens, invitations, profiles.
///
/// REST and the command line both go through here. Secrets leave it once, when they are made.
package final class Accounts: Sendable {
    /// How long a sign-in link is good.
    package static let linkLifetime = Duration.seconds(15 * 60)

    /// How long a browser stays signed in.
    package static let sessionLifetime = Duration.seconds(90 * 86_400)

    /// How long an invitation is good.
    package static let invitationLifetime = Duration.seconds(7 * 86_400)

    package let store: any AccountStore
    let passwords: PasswordHasher
    private let clock: ExpiryClock
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let attempts: Mutex<AttemptLimiter>
    private let ended: @Sendable (SecretHash) -> Void

    /// Creates the rules over a store.
    ///
    /// `clock` says when a session, a link or an invitation ends, `uptime` how long to wait after failed attempts.
    /// `ended` is called when a session or token stops being good, so that what it opened can be closed.
    package init(
        store: any AccountStore,
        passwords: PasswordHasher = PasswordHasher(),
        attempts: AttemptLimiter = AttemptLimiter(),
        clock: ExpiryClock,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        ended: @escaping @Sendable (SecretHash) -> Void = { _ in }
    ) {
        self.store = store
        self.passwords = passwords
        self.attempts = Mutex(attempts)
        self.clock = clock
        self.uptime = uptime
        self.ended = ended
    }

    /// The time by which sign-ins, links and invitations end.
    func now() -> Timestamp { clock.now }

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
        let value = try await body()
        attempts.withLock { $0.succeed(keys) }
        return value
    }

    /// Removes a session or token, and closes what it opened.
    ///
    /// - Throws: `unavailable`.
    package func end(_ credential: SecretHash, of user: UserID) async throws(SharingError) {
        try await store.removeCredential(credential, of: user)
        ended(credential)
    }
}

/// A user who has just been signed in, and the secret for their cookie.
package struct SignedIn: Sendable {
    package let user: User
    package let session: Secret

    package init(user: User, session: Secret) {
        self.user = user
        self.session = session
    }
}
