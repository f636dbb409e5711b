package import YonderModel
package import YonderRules

/// Changes by operators to any account, and by users to their own sessions. `actor` names the one
/// responsible, for the log.
///
/// `UserEndpoints` and `SessionEndpoints` call these, after the routes have checked that the caller may. Each is one call of
/// the store, which changes all or nothing, passes ended sign-ins to its outlet, and writes the events; repeating one
/// changes nothing more. That the last operator stays is decided by the store.
///
/// What each call answers and refuses is in `Documentation/rest.md` (`UserTests`, `StoreRule+Operators.swift`).
extension Accounts {
    /// Returns accounts with the time when each user was last seen, oldest account first.
    ///
    /// - Throws: `unavailable`.
    package func people(after place: AccountPlace?, limit: Int) async throws(SharingError) -> [Account] {
        sightings.completing(try await store.accounts(after: place, limit: limit))
    }

    /// Returns a user's sessions, or tokens of both kinds, with the time of their last use, newest first.
    ///
    /// - Throws: `unavailable`.
    package func credentials(_ group: CredentialGroup, of user: UserID) async throws(SharingError)
        -> [Credential]
    {
        let now = now()
        return try await store.credentials(of: user)
            .filter { group.kinds.contains($0.kind) && $0.isGood(at: now) }
            .map(sightings.completing)
    }

    /// Changes an account.
    ///
    /// Disabling it ends the user's open connections; making the user an operator, or none, has them connect again.
    ///
    /// - Throws: `invalidField`, `unknownUser`, `nameTaken`, `lastOperator`, `unavailable`.
    package func change(
        _ user: UserID,
        _ change: AccountChange,
        by author: Author,
        under warrant: Warrant
    ) async throws(SharingError) -> Account {
        let current = try await store.account(user)
        let wanted = change.applied(to: current)
        try Profile(name: wanted.user.name, email: wanted.user.email).validate()
        try Self.check(login: wanted.login)
        let time = now()
        var events: [AccountEvent] = []
        if wanted.user.email != current.user.email { events.append(author.event(.email, at: time)) }
        if wanted.login != current.login { events.append(author.event(.login, at: time)) }
        let account = try await store.change(user, change, noting: events, at: serverTime(), under: warrant)
        log.changed(Self.text(of: change), of: user, by: author.name)
        return account
    }

    /// Ends the session or removes the token that ``SecretHash/publicID`` names.
    ///
    /// - Throws: `notFound`, `unavailable`.
    package func end(
        _ group: CredentialGroup,
        _ id: String,
        of user: UserID,
        by actor: String,
        under warrant: Warrant
    )
        async throws(SharingError)
    {
        let found = try await credentials(group, of: user).first { $0.secret.publicID == id }
        guard let found else {
            // It may be gone with the caller's own right.
            try await store.judge(warrant)
            throw SharingError(.notFound, "No such \(group.rawValue).")
        }
        try await end(found.secret, of: user, under: warrant)
        log.changed("\(group.rawValue) ended", of: user, by: actor)
    }

    /// Ends the user's sessions, links and known devices but for the caller's, and the tokens if `tokens` is set.
    ///
    /// - Throws: `unavailable`.
    package func endOthers(of caller: Caller, tokens: Bool) async throws(SharingError) {
        let warrant = caller.warrant(needsOperator: false, at: now())
        try await endAll(of: caller.user, tokens: tokens, except: caller.credential, under: warrant)
        log.changed(
            tokens ? "other sessions, tokens ended" : "other sessions ended",
            of: caller.user,
            by: "\(caller.user)"
        )
    }

    /// Signs a user out of all sessions.
    ///
    /// - Throws: `unknownUser`, `unavailable`.
    package func signOut(_ user: UserID, tokens: Bool, by actor: String, under warrant: Warrant)
        async throws(SharingError)
    {
        _ = try await store.account(user)
        try await endAll(of: user, tokens: tokens, except: nil, under: warrant)
        log.changed(tokens ? "signed out, tokens" : "signed out", of: user, by: actor)
    }

    /// Ends a user's sessions, links and known devices except `kept`, and the user's tokens, too, if `tokens`
    /// is set.
    ///
    /// - Throws: `unavailable`.
    func endAll(of user: UserID, tokens: Bool, except kept: SecretHash?, under warrant: Warrant)
        async throws(SharingError)
    {
        let end = Self.end(tokens: tokens, except: kept)
        try await store.removeCredentials(
            of: user,
            kinds: end.kinds,
            except: end.kept,
            at: serverTime(),
            under: warrant
        )
    }

    /// All sessions, links and known devices except `kept`, and all tokens, too, if `tokens` is set.
    static func end(tokens: Bool, except kept: SecretHash?) -> CredentialEnd {
        let kinds: Set<Credential.Kind> = [.session, .link, .device]
        return CredentialEnd(tokens ? kinds.union([.token, .accounts]) : kinds, except: kept)
    }

    /// Sets or removes a user's password, and ends all of the user's sessions.
    ///
    /// - Throws: `invalidField`, `unknownUser`, `unavailable`.
    package func overridePassword(
        _ password: String?,
        of user: UserID,
        endsTokens: Bool = false,
        by author: Author = .server,
        under warrant: Warrant
    ) async throws(SharingError) {
        guard try await store.account(user).login != nil || password == nil else {
            throw SharingError(
                .invalidField,
                "password needs a login, which this account lacks; set login before you set password."
            )
        }
        var hash: String?
        if let password {
            // The user who runs the server is no peer.
            let isServer = author.actor == .server
            let costly = isServer ? [] : [AttemptLimiter.Key.passwords(by: author.name)]
            hash = try await attempt([], costing: costly) { () throws(SharingError) in
                try await passwords.hash(password, for: UserID(author.name).map(TurnTaker.person) ?? .server)
            }
        }
        try await store.setPassword(
            user,
            hash: hash,
            ending: Self.end(tokens: endsTokens, except: nil),
            noting: [author.event(.password, at: now())],
            at: serverTime(),
            under: warrant
        )
        log.changed(endsTokens ? "password, tokens" : "password", of: user, by: author.name)
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

/// The credentials of one list.
package enum CredentialGroup: String, Sendable {
    /// Sessions of browsers.
    case session
    /// Tokens of programs, of both kinds.
    case token

    var kinds: Set<Credential.Kind> {
        switch self {
        case .session: [.session]
        case .token: [.token, .accounts]
        }
    }
}
