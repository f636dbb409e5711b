package import YonderGeodesy
package import YonderModel

/// The right by which a change is made; the transaction that makes the change judges it.
///
/// The head of a request, its body and its change lie apart: up to minutes, and the right may end on another node
/// meanwhile. So each change carries what was read when its caller was found, and the store compares it with what is
/// stored at the change. A refused change leaves nothing behind. While the version is the one that was read, judging
/// costs the read of the account alone.
package enum Warrant: Hashable, Sendable {
    /// The server by itself, or the system's user who runs it: there is nothing to judge.
    case server
    /// A session or a token.
    case signIn(HeldSignIn)
    /// A key that signs requests of the older places API, by its id: it must still be there.
    case signingKey(String)

    /// The user whose account is read when it is judged, if there is one.
    package var user: UserID? {
        if case .signIn(let held) = self { held.user } else { nil }
    }

    /// The same right, used at a later time.
    package func used(at time: Timestamp) -> Warrant {
        if case .signIn(let held) = self { .signIn(held.used(at: time)) } else { self }
    }
}

/// A session or token as it was when its caller was found.
///
/// The account's version rises whenever a sign-in or a right of the user ends. A change under another version is made only
/// if this sign-in, and the role that the change needs, are still there: so what a person ends elsewhere doesn't refuse
/// what they do here.
package struct HeldSignIn: Hashable, Sendable {
    /// The user.
    package let user: UserID

    /// The hash of the session's or token's secret.
    package let credential: SecretHash

    /// When the session or token expires, or `nil` for never.
    package let expires: Timestamp?

    /// The version of the account when the caller was found.
    package let version: Int64

    /// Whether only an operator may make the change.
    package let needsOperator: Bool

    /// Whether it signs in an open stream, which ends with it by itself.
    package let isOfStream: Bool

    /// The time at which the change is made, by which the sign-in may have expired.
    package let time: Timestamp

    /// Creates it.
    package init(
        user: UserID,
        credential: SecretHash,
        expires: Timestamp?,
        version: Int64,
        needsOperator: Bool,
        isOfStream: Bool = false,
        time: Timestamp
    ) {
        self.user = user
        self.credential = credential
        self.expires = expires
        self.version = version
        self.needsOperator = needsOperator
        self.isOfStream = isOfStream
        self.time = time
    }

    /// The same sign-in, used at a later time.
    func used(at time: Timestamp) -> HeldSignIn {
        HeldSignIn(
            user: user,
            credential: credential,
            expires: expires,
            version: version,
            needsOperator: needsOperator,
            isOfStream: isOfStream,
            time: time
        )
    }

    /// The refusal of a change by it, or `nil` while the right holds.
    ///
    /// - Parameters:
    ///   - account: The user's account as it is stored, or `nil` if it was removed.
    ///   - isStored: Asks whether the session or token is stored and good; called only for another version.
    /// - Returns: `notSignedIn` if the sign-in or the account ended, `notAllowed` if the operator's role did.
    /// - Throws: The error of `isStored`.
    package func refusal<Failure: Error>(
        _ account: Account?,
        isStored: () throws(Failure) -> Bool
    ) throws(Failure) -> SharingError? {
        guard let account, !account.isDisabled, expires.map({ $0 > time }) ?? true else {
            return .signInEnded
        }
        if account.version != version {
            guard try isStored() else { return .signInEnded }
        }
        return needsOperator && !account.isOperator ? .operatorsOnly : nil
    }
}
