import YonderGeodesy
package import YonderModel
package import YonderRules

// Tokens, with which programs sign in. A token is shown once and stored hashed.
extension Accounts {
    /// Creates a bearer token, valid until it is removed.
    ///
    /// With `managingAccounts` it changes other people's accounts, and is good for nothing else. The user sees the event of
    /// a token that an `author` asked for.
    ///
    /// - Throws: `invalidField` for a label over 100 characters or with control characters; `notAllowed` for
    ///   `managingAccounts` unless the user is an operator; `tooMany`; `unavailable`.
    package func makeToken(
        _ label: String,
        for user: UserID,
        managingAccounts: Bool = false,
        by author: Author? = nil,
        under warrant: Warrant
    ) async throws(SharingError) -> Secret {
        guard DisplayName.isPlain(label, lengths: 0...100) else {
            throw SharingError(
                .invalidField,
                "label must have at most 100 characters, none of them a control or text direction character."
            )
        }
        let events = author.map { [$0.event(.token, at: now())] } ?? []
        let kind = managingAccounts ? Credential.Kind.accounts : .token
        return try await make(
            kind,
            for: user,
            label: label,
            lifetime: nil,
            noting: events,
            under: warrant
        )
    }

    /// Returns a user's tokens, newest first.
    ///
    /// - Throws: `unavailable`.
    package func tokens(of user: UserID) async throws(SharingError) -> [Credential] {
        try await credentials(.token, of: user)
    }

    /// Removes the token that ``SecretHash/publicID`` names.
    ///
    /// - Throws: `notFound`, `unavailable`.
    package func removeToken(_ id: String, of user: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        guard let token = try await tokens(of: user).first(where: { $0.secret.publicID == id }) else {
            try await store.judge(warrant)
            throw SharingError(.notFound, "No such token.")
        }
        try await end(token.secret, of: user, under: warrant)
    }

    func make(
        _ kind: Credential.Kind,
        for user: UserID,
        label: String,
        lifetime: Duration?,
        noting events: [AccountEvent],
        under warrant: Warrant
    ) async throws(SharingError) -> Secret {
        let secret = Secret.random()
        let moment = now()
        let credential = Credential(
            secret: secret.hash,
            kind: kind,
            user: user,
            label: label,
            created: moment,
            expires: lifetime.map { moment + $0 }
        )
        try await store.createCredential(credential, noting: events, under: warrant)
        return secret
    }

    static var badLink: SharingError {
        SharingError(
            .invalidCredentials,
            "link: it was used, or is more than 15 minutes old; ask for a new one."
        )
    }
}
