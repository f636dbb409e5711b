package import Logging
import YonderModel
import YonderRules

/// Logs sign-ins with network and method, and changes by operators, without any secret.
///
/// Typed text is never logged: a user may type the password in the wrong field. Each kind of line has a `LineRate`: refusals together,
/// sign-ins and changes for each person, so that no client can fill the disk; the next line gives the number omitted.
package struct SignInLog: Sendable {
    /// The method of a sign-in.
    package enum Way: String, Sendable {
        case password, link, invitation
        /// The current password, required before a change.
        case change
    }

    private let logger: Logger
    private let signIns: LineRate
    private let refusals: LineRate
    private let changes: LineRate

    package init(logger: Logger, uptime: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.logger = logger
        signIns = LineRate(uptime: uptime)
        refusals = LineRate(uptime: uptime)
        changes = LineRate(uptime: uptime)
    }

    func signedIn(_ user: UserID, _ way: Way, from origin: SignInOrigin, _ acquaintance: Acquaintance? = nil)
    {
        guard let omitted = signIns.take("\(user)") else { return }
        logger.info(
            "Signed in",
            metadata: [
                "user": "\(user)", "by": "\(way.rawValue)", "network": "\(origin.network)",
                "browser": "\(origin.browser)", "known": "\(acquaintance.map(Self.text) ?? "-")",
            ].counting(omitted)
        )
    }

    /// `user` is `nil` if there is no such account.
    func refused(_ user: UserID?, _ way: Way, from origin: SignInOrigin, _ error: SharingError) {
        guard let omitted = refusals.take() else { return }
        logger.notice(
            "Sign-in refused",
            metadata: [
                "user": "\(user.map { "\($0)" } ?? "unknown")", "by": "\(way.rawValue)",
                "network": "\(origin.network)", "code": "\(error.code)", "omitted": "\(omitted)",
            ]
        )
    }

    func changed(_ what: String, of user: UserID, by actor: String) {
        guard let omitted = changes.take(actor) else { return }
        let fields: Logger.Metadata = ["user": "\(user)", "what": "\(what)", "by": "\(actor)"]
        logger.notice("Account changed", metadata: fields.counting(omitted))
    }

    private static func text(_ acquaintance: Acquaintance) -> String {
        switch acquaintance {
        case .device: "device"
        case .network: "network"
        case .stranger: "no"
        }
    }
}

extension Logger.Metadata {
    /// With the number of lines that were omitted before this one, unless there is none.
    fileprivate func counting(_ omitted: Int) -> Logger.Metadata {
        omitted == 0 ? self : merging(["omitted": "\(omitted)"]) { $1 }
    }
}
