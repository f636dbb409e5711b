package import Logging
import Synchronization
import YonderModel
import YonderRules

/// Logs sign-ins with network and method, and changes by operators, without any secret.
///
/// Typed text is never logged: a user may type the password in the wrong field. Refusals are logged at a
/// limited rate, a burst of 60 and then one a second, so that no client can fill the disk; the next line
/// gives the number omitted.
///
/// `Accounts` writes each sign-in, refusal and change of an account to it, on any thread. Nothing fails. That no secret
/// and nothing typed is in a line must stay; texts and the rate may be changed (`AcquaintanceTests`).
package struct SignInLog: Sendable {
    /// The method of a sign-in.
    package enum Way: String, Sendable {
        case password, link, invitation
        /// The current password, required before a change.
        case change
    }

    private final class Refusals: Sendable {
        let state = Mutex((bucket: TokenBucket(RateLimit(burst: 60, perSecond: 1)), omitted: 0))
    }

    private let logger: Logger
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let refusals = Refusals()

    package init(logger: Logger, uptime: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.logger = logger
        self.uptime = uptime
    }

    func signedIn(_ user: UserID, _ way: Way, from origin: SignInOrigin, _ acquaintance: Acquaintance? = nil)
    {
        logger.info(
            "Signed in",
            metadata: [
                "user": "\(user)", "by": "\(way.rawValue)", "network": "\(origin.network)",
                "browser": "\(origin.browser)", "known": "\(acquaintance.map(Self.text) ?? "-")",
            ]
        )
    }

    /// `user` is `nil` if there is no such account.
    func refused(_ user: UserID?, _ way: Way, from origin: SignInOrigin, _ error: SharingError) {
        let now = uptime()
        let omitted: Int? = refusals.state.withLock { state in
            guard state.bucket.take(at: now) == nil else {
                state.omitted += 1
                return nil
            }
            defer { state.omitted = 0 }
            return state.omitted
        }
        guard let omitted else { return }
        logger.notice(
            "Sign-in refused",
            metadata: [
                "user": "\(user.map { "\($0)" } ?? "unknown")", "by": "\(way.rawValue)",
                "network": "\(origin.network)", "code": "\(error.code)", "omitted": "\(omitted)",
            ]
        )
    }

    func changed(_ what: String, of user: UserID, by actor: String) {
        logger.notice("Account changed", metadata: ["user": "\(user)", "what": "\(what)", "by": "\(actor)"])
    }

    private static func text(_ acquaintance: Acquaintance) -> String {
        switch acquaintance {
        case .device: "device"
        case .network: "network"
        case .stranger: "no"
        }
    }
}
