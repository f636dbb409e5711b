package import YonderGeodesy
package import YonderModel
package import YonderRules

/// The user who sent a request, and the credential used.
///
/// `Authenticator` makes one for each request and connection, endpoints decide by it. It is a plain value. The rights
/// are those of the moment of the request: each change is judged again, by ``warrant(needsOperator:at:)``, and a stream's
/// session ends when the version of the account changes. A kind of
/// credential that a newer server made is never taken for one that may do more.
package struct Caller: Hashable, Sendable {
    /// The user.
    package let person: User

    /// The credential: a session's or a token's.
    package let credential: SecretHash

    /// Whether the credential is a session or a token.
    package let kind: Credential.Kind

    /// The time at which the credential expires, or `nil` for never.
    package let expires: Timestamp?

    /// The version of the user's account by which the request was allowed.
    package let version: Int64

    package init(
        person: User,
        credential: SecretHash,
        kind: Credential.Kind,
        expires: Timestamp? = nil,
        version: Int64 = 0
    ) {
        self.person = person
        self.credential = credential
        self.kind = kind
        self.expires = expires
        self.version = version
    }

    /// The user's id.
    package var user: UserID { person.id }

    /// The right by which the caller makes a change at a time, as it was when the caller was found.
    ///
    /// - Parameters:
    ///   - needsOperator: Whether only an operator may make the change.
    ///   - time: The time by which sign-ins expire.
    /// - Returns: The right.
    package func warrant(needsOperator: Bool, at time: Timestamp) -> Warrant {
        .signIn(
            HeldSignIn(
                user: user,
                credential: credential,
                expires: expires,
                version: version,
                needsOperator: needsOperator,
                time: time
            )
        )
    }
}
