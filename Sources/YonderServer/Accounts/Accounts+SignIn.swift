import YonderGeodesy
package import YonderModel

extension Accounts {
    /// Makes a link's secret, good once and for 15 minutes.
    ///
    /// - Throws: `unknownUser`, `tooMany`, `unavailable`.
    package func makeLink(for user: UserID) async throws(SharingError) -> Secret {
        try await make(.link, for: user, label: "", lifetime: Self.linkLifetime)
    }

    /// Signs in with a link.
    ///
    /// The attempt counts for `network`.
    ///
    /// - Throws: `invalidCredentials`, `tooManyRequests`, `unavailable`.
    package func signIn(link: String, from network: String) async throws(SharingError) -> SignedIn {
        try await attempt([.address(network)]) { () throws(SharingError) in
            guard let link = Secret(link) else { throw Self.badLink }
            let session = Secret.random()
            let moment = now()
            let credential = try await store.redeem(
                link.hash,
                for: { Self.session(session, of: $0, at: moment) },
                at: moment
            )
            return SignedIn(user: try await store.account(credential.user).user, session: session)
        }
    }

    /// Signs in with a login name and a password.
    ///
    /// It takes as long where there is no such name or no password.
    ///
    /// The attempt counts for `network`.
    ///
    /// - Throws: `invalidCredentials`, `tooManyRequests`, `unavailable`.
    package func signIn(
        login: String,
        password: String,
        from network: String
    ) async throws(SharingError) -> SignedIn {
        let login = String(login.lowercased().prefix(64))
        return try await attempt([.account(login), .address(network)]) { () throws(SharingError) in
            let account = try await store.account(login: login)
            let verdict = try await passwords.verify(password, against: account?.passwordHash)
            guard verdict != .wrong, let account else {
                throw SharingError(.invalidCredentials, "The name or the password is wrong.")
            }
            if verdict == .rightWithOldHash { await raiseHash(of: account, password) }
            return SignedIn(user: account.user, session: try await makeSession(for: account.user.id))
        }
    }

    /// Replaces a hash of another cost by one of today's; if that can't be done now, the next sign-in does it.
    private func raiseHash(of account: Account, _ password: String) async {
        guard let old = account.passwordHash, let new = try? await passwords.hash(password) else { return }
        _ = try? await store.replacePassword(account.user.id, hash: old, with: new)
    }

    /// Makes the secret of a browser's cookie.
    ///
    /// - Throws: `unknownUser`, `tooMany`, `unavailable`.
    func makeSession(for user: UserID) async throws(SharingError) -> Secret {
        let secret = Secret.random()
        try await store.createCredential(Self.session(secret, of: user, at: now()))
        return secret
    }

    /// Sets a password; one that is there must be known.
    ///
    /// Every other browser is signed out.
    ///
    /// - Throws: `invalidCredentials` if `current` isn't the one that is set; `invalidField`; `tooManyRequests`;
    ///   `unavailable`.
    package func setPassword(
        _ password: String,
        current: String?,
        by caller: Caller,
        from network: String
    ) async throws(SharingError) {
        let account = try await store.account(caller.user)
        if let hash = account.passwordHash {
            try await attempt([.account("#\(caller.user)"), .address(network)]) { () throws(SharingError) in
                guard let current,
                    try await passwords.verify(current, against: hash, isKnown: true) != .wrong
                else {
                    throw SharingError(.invalidCredentials, "The current password is another one.")
                }
            }
        }
        try await store.setPassword(caller.user, hash: try await passwords.hash(password))
        for credential in try await store.credentials(of: caller.user)
        where credential.kind == .session && credential.secret != caller.credential {
            try await end(credential.secret, of: caller.user)
        }
    }

    /// Sets a password for whoever has the data folder in hand, or removes it.
    ///
    /// - Throws: `invalidField`, `unknownUser`, `unavailable`.
    package func overridePassword(_ password: String?, of user: UserID) async throws(SharingError) {
        guard let password else { return try await store.setPassword(user, hash: nil) }
        try await store.setPassword(user, hash: try await passwords.hash(password))
    }

    /// Makes a bearer token, good until it is removed.
    ///
    /// - Throws: `invalidField` for a label over 100 characters or with controls; `tooMany`; `unavailable`.
    package func makeToken(_ label: String, for user: UserID) async throws(SharingError) -> Secret {
        guard DisplayName.isPlain(label, lengths: 0...100) else {
            throw SharingError(
                .invalidField,
                "label must have at most 100 characters, none a control or one of the direction of text."
            )
        }
        return try await make(.token, for: user, label: label, lifetime: nil)
    }

    /// A user's tokens, newest first.
    ///
    /// - Throws: `unavailable`.
    package func tokens(of user: UserID) async throws(SharingError) -> [Credential] {
        try await store.credentials(of: user).filter { $0.kind == .token }
    }

    /// Removes the token that ``SecretHash/publicID`` names.
    ///
    /// - Throws: `notFound`, `unavailable`.
    package func removeToken(_ id: String, of user: UserID) async throws(SharingError) {
        guard let token = try await tokens(of: user).first(where: { $0.secret.publicID == id }) else {
            throw SharingError(.notFound, "No such token.")
        }
        try await end(token.secret, of: user)
    }

    private func make(
        _ kind: Credential.Kind,
        for user: UserID,
        label: String,
        lifetime: Duration?
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
        try await store.createCredential(credential)
        return secret
    }

    static func session(_ secret: Secret, of user: UserID, at moment: Timestamp) -> Credential {
        Credential(
            secret: secret.hash,
            kind: .session,
            user: user,
            created: moment,
            expires: moment + sessionLifetime
        )
    }

    private static var badLink: SharingError {
        SharingError(.invalidCredentials, "The link was used, or is too old.")
    }
}
