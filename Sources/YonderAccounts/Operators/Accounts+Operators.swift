package import YonderModel

/// Changes by operators to any account, and by users to their own sessions. `actor` names the one
/// responsible, for the log.
extension Accounts {
    /// Returns accounts with the time when each user was last seen, oldest account first.
    ///
    /// - Throws: `unavailable`.
    package func people(after place: AccountPlace?, limit: Int) async throws(SharingError) -> [Account] {
        sightings.completing(try await store.accounts(after: place, limit: limit))
    }

    /// Returns a user's sessions or tokens with the time of their last use, newest first.
    ///
    /// - Throws: `unavailable`.
    package func credentials(_ kind: Credential.Kind, of user: UserID) async throws(SharingError)
        -> [Credential]
    {
        let now = now()
        return try await store.credentials(of: user)
            .filter { $0.kind == kind && $0.isGood(at: now) }
            .map(sightings.completing)
    }

    /// Changes an account.
    ///
    /// Disabling it ends the user's open connections; making the user an operator, or none, has them connect again.
    ///
    /// - Throws: `invalidField`, `unknownUser`, `nameTaken`, `lastOperator`, `unavailable`.
    package func change(_ user: UserID, _ change: AccountChange, by actor: String) async throws(SharingError)
        -> Account
    {
        let current = try await store.account(user)
        let wanted = change.applied(to: current)
        try Profile(name: wanted.user.name, email: wanted.user.email).validate()
        try Self.check(login: wanted.login)
        let account = try await store.change(user, change)
        log.changed(Self.text(of: change), of: user, by: actor)
        return account
    }

    /// Ends the session or removes the token that ``SecretHash/publicID`` names.
    ///
    /// - Throws: `notFound`, `unavailable`.
    package func end(_ kind: Credential.Kind, _ id: String, of user: UserID, by actor: String)
        async throws(SharingError)
    {
        let found = try await credentials(kind, of: user).first { $0.secret.publicID == id }
        guard let found else { throw SharingError(.notFound, "No such \(kind.rawValue).") }
        try await end(found.secret, of: user)
        log.changed("\(kind.rawValue) ended", of: user, by: actor)
    }

    /// Signs a user out of all sessions.
    ///
    /// - Throws: `unknownUser`, `unavailable`.
    package func signOut(_ user: UserID, tokens: Bool, by actor: String) async throws(SharingError) {
        _ = try await store.account(user)
        try await endAll(of: user, tokens: tokens, except: nil)
        log.changed(tokens ? "signed out, tokens" : "signed out", of: user, by: actor)
    }

    /// Ends a user's sessions, links and known devices except `kept`, and the user's tokens, too, if `tokens`
    /// is set.
    ///
    /// - Throws: `unavailable`.
    func endAll(of user: UserID, tokens: Bool, except kept: SecretHash?) async throws(SharingError) {
        let kinds: Set<Credential.Kind> = [.session, .link, .device]
        try await store.removeCredentials(
            of: user,
            kinds: tokens ? kinds.union([.token]) : kinds,
            except: kept
        )
    }

    /// Sets or removes a user's password, and ends all of the user's sessions.
    ///
    /// - Throws: `invalidField`, `unknownUser`, `unavailable`.
    package func overridePassword(
        _ password: String?,
        of user: UserID,
        endsTokens: Bool = false,
        by actor: String = "the server"
    ) async throws(SharingError) {
        guard try await store.account(user).login != nil || password == nil else {
            throw SharingError(
                .invalidField,
                "password needs a login, which this account lacks; set login before you set password."
            )
        }
        var hash: String?
        if let password { hash = try await passwords.hash(password) }
        try await store.setPassword(user, hash: hash)
        try await endAll(of: user, tokens: endsTokens, except: nil)
        log.changed(endsTokens ? "password, tokens" : "password", of: user, by: actor)
    }

    /// Checks that a login name is valid.
    ///
    /// - Throws: `invalidField`.
    static func check(login: String?) throws(SharingError) {
        guard let login, !Account.isValid(login: login) else { return }
        throw SharingError(.invalidField, "login must have 1 to 64 characters of a-z, 0-9, '.', '_' and '-'.")
    }

    private static func text(of change: AccountChange) -> String {
        let parts = [
            change.name.map { _ in "name" }, change.email.map { _ in "email" },
            change.login.map { _ in "login" }, change.isOperator.map { $0 ? "made operator" : "no operator" },
            change.isDisabled.map { $0 ? "disabled" : "enabled" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
