package import YonderModel

/// A commit that ended sign-ins of a user, or changed what the user may do.
///
/// The tables of accounts and credentials make one in each such transaction, and the store's outlet passes it to `Exchange`,
/// which ends or renews the user's sessions on this node and tells the others. A change with a lower version than a session
/// knows is older, and ignored.
///
/// `SignInBoardTests` and `StoreRule+Commits.swift` hold it; nodes send it in a frame (`BusFrame+Coding.swift`).
package struct SignInChange: Hashable, Sendable {
    /// The sign-ins or rights that a change ended.
    package enum Ended: Hashable, Sendable {
        /// Every session and token of the user: the account was disabled or removed.
        case all
        /// The rights with which the user's connections were opened: the user became an operator, or ceased to be one. The
        /// sign-ins stay good.
        case role
        /// These sessions and tokens; none if only the password changed.
        case credentials([SecretHash])
    }

    /// The user.
    package let user: UserID

    /// The account's version before and after the commit; after its removal the highest number.
    package let versions: ClosedRange<Int64>

    /// What ended.
    package let ended: Ended

    /// Creates a change.
    package init(_ user: UserID, versions: ClosedRange<Int64>, ended: Ended) {
        self.user = user
        self.versions = versions
        self.ended = ended
    }

    /// The change from one state of an account to another, of which some credentials were removed; `nil` if its version is
    /// the same.
    package init?(of old: Account, to new: Account?, removed: [Credential] = []) {
        let last = new?.version ?? .max
        guard last > old.version else { return nil }
        let ended: Ended
        if new?.isDisabled ?? true {
            ended = .all
        } else if new?.isOperator != old.isOperator {
            ended = .role
        } else {
            let connecting = removed.filter(\.isSignIn)
            ended = .credentials(connecting.map(\.secret))
        }
        self.init(old.user.id, versions: old.version...last, ended: ended)
    }
}
