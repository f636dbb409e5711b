package import Logging
import Synchronization
import YonderModel

/// Writes down who signed in, from where and how, and what operators did, without any secret.
///
/// What was typed isn't written: a password may stand in the wrong field. Of refusals at most a burst of 60 and then one a
/// second are written, so that nobody fills the disk; the next line says how many were left out.
package struct SignInLog: Sendable {
    /// How somebody signed in.
    package enum Way: String, Sendable {
        case password, link, invitation
        /// The current password, asked for before a change.
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
