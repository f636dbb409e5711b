import YonderGeodesy
package import YonderModel
package import YonderRules

// Signing in with links and passwords, and changing a password. `SessionEndpoints` and `UserEndpoints` call it; `Greeting`
// makes the first link. Attempts are counted before the secret is looked at, by the keys of `AttemptLimiter`, and an attempt
// that is refused as too early costs no hash. A sign-in that fails at any step stores nothing; a link stays good until a
// session was started with it.
//
// What a stranger can learn must stay: an unknown name, an account without a password and a wrong password get the same
// answer after the same time. `PasswordTests`, `AttemptLimiterTests` and `test_sign_in_times.py` hold it. How long links and
// sessions are good is in their types.
extension Accounts {
    /// Creates the secret of a sign-in link, valid once and for 15 minutes.
    ///
    /// The user sees the event of a link that an `author` asked for; the links of a new account and of the server's start
    /// have none.
    ///
    /// - Throws: `unknownUser`, `accountDisabled`, `tooMany`, `unavailable`.
    package func makeLink(for user: UserID, by author: Author? = nil, under warrant: Warrant)
        async throws(SharingError) -> Secret
    {
        let events = author.map { [$0.event(.link, at: now())] } ?? []
        return try await make(
            .link,
            for: user,
            label: "",
            lifetime: Self.linkLifetime,
            noting: events,
            under: warrant
        )
    }

    /// Signs in with a link.
    ///
    /// The attempt counts for the address.
    ///
    /// - Throws: `invalidCredentials`, `tooManyRequests`, `unavailable`.
    package func signIn(link: String, from origin: SignInOrigin) async throws(SharingError) -> SignedIn {
        try await recorded(.link, nil, from: origin) { () throws(SharingError) in
            try await attempt([.address(origin.network)]) { () throws(SharingError) in
                guard let link = Secret(link) else { throw Self.badLink }
                return try await startSession(by: .link(link.hash), from: origin).signedIn
            }
        }
    }

    /// Signs in with a login name and a password.
    ///
    /// An unknown name or an account without a password takes as long to refuse as a wrong password. An
    /// attempt from an unknown browser and network counts for the account and the address. An attempt from a
    /// browser or network from which the account was signed in before counts separately.
    ///
    /// A password whose hash needs more memory than the hasher's limit isn't checked. Only a known browser or network is
    /// answered that; for a stranger the password is wrong, as for an unknown name.
    ///
    /// - Throws: `invalidCredentials`, `tooManyRequests`, `unavailable`; `passwordNotChecked`; `accountDisabled` if the
    ///   password is right.
    package func signIn(
        login: String,
        password: String,
        from origin: SignInOrigin
    ) async throws(SharingError) -> SignedIn {
        let login = Self.login(sent: login)
        let account = try await store.account(login: login)
        let acquaintance = try await acquaintance(of: account, origin)
        let keys = Self.keys(login, origin, acquaintance)
        let costly = account.map { [AttemptLimiter.Key.signIns(of: $0.user.id)] } ?? []
        do throws(SharingError) {
            return try await recorded(.password, account, acquaintance, from: origin) {
                () throws(SharingError) in
                try await attempt(keys, costing: costly) { () throws(SharingError) in
                    try await startSession(
                        by: password,
                        of: account,
                        as: acquaintance,
                        from: origin
                    )
                }
            }
        } catch {
            // The log has the reason; a stranger doesn't learn which names have an account.
            throw acquaintance == .stranger && error.code == .passwordNotChecked ? wrongPassword : error
        }
    }

    /// Starts a session by a password, if the account doesn't change while the password is checked.
    ///
    /// A change may be a sign-in that ended elsewhere, so the password is checked once more, against the account as it is
    /// then. A hash of another cost is replaced behind the start.
    private func startSession(
        by password: String,
        of account: Account?,
        as acquaintance: Acquaintance,
        from origin: SignInOrigin
    ) async throws(SharingError) -> SignedIn {
        let known = acquaintance == .stranger ? nil : account.map { TurnTaker.person($0.user.id) }
        let caller = known ?? .stranger(origin.network)
        var account = account
        for isLast in [false, true] {
            let (right, isOld) = try await check(password, of: account, by: caller)
            let proof = SessionStart.Proof.password(right.user.id, version: right.version)
            do throws(SharingError) {
                let signedIn = try await startSession(by: proof, from: origin).signedIn
                if isOld { await replaceHash(of: right, password) }
                return signedIn
            } catch {
                guard !isLast, error == .signInOvertaken else { throw error }
                account = try await store.account(right.user.id)
            }
        }
        throw .signInOvertaken
    }

    /// Checks the password of a sign-in.
    ///
    /// - Returns: The account, and whether its hash is of another cost than that of a new password.
    private func check(_ password: String, of account: Account?, by caller: TurnTaker)
        async throws(SharingError)
        -> (account: Account, isOld: Bool)
    {
        let verdict = try await passwords.verify(password, against: account?.passwordHash, for: caller)
        guard verdict != .wrong, let account else { throw wrongPassword }
        guard verdict != .notChecked else { throw Self.signInNotChecked }
        guard !account.isDisabled else { throw .accountDisabled }
        return (account, verdict == .rightWithOldHash)
    }

    /// The same words for every name, also for one without an account.
    private var wrongPassword: SharingError {
        let advice =
            passwords.checksAll
            ? "" : " This server doesn't check passwords that were set on a larger one: sign in with a link."
        return SharingError(.invalidCredentials, "The name or the password is wrong.\(advice)")
    }

    private static var signInNotChecked: SharingError {
        SharingError(
            .passwordNotChecked,
            """
            This password was set on a larger server, and this one doesn't have the memory to check it: sign in with a \
            link, which an operator can make, and set a new password.
            """
        )
    }

    /// The login that a person means, in which letters of ASCII count as small ones; nobody's for a text that no login can be.
    private static func login(sent text: String) -> String {
        // No valid login has this character.
        let nobodys = "*"
        guard text.utf8.count <= 64 else { return nobodys }
        let login = String(
            decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
        return Account.isValid(login: login) ? login : nobodys
    }

    /// Replaces a password hash of another cost by one that a new password would have.
    ///
    /// If that fails now, the next sign-in tries again.
    private func replaceHash(of account: Account, _ password: String) async {
        guard let old = account.passwordHash,
            let new = try? await passwords.hash(password, for: .person(account.user.id))
        else { return }
        _ = try? await store.replacePassword(account.user.id, hash: old, with: new)
    }

    /// Starts a session, and remembers the browser and the network that it comes from.
    ///
    /// - Returns: The secrets for the browser's cookies, and the sender of an invitation.
    /// - Throws: The errors of the store's `startSession`.
    func startSession(by proof: SessionStart.Proof, from origin: SignInOrigin) async throws(SharingError)
        -> (signedIn: SignedIn, contact: User?)
    {
        let (session, device, moment) = (Secret.random(), Secret.random(), now())
        let start = SessionStart(
            session: session.hash,
            device: origin.device?.hash,
            newDevice: device.hash,
            browser: origin.browser,
            network: origin.network,
            subnet: origin.subnet,
            time: moment,
            expires: moment + Self.sessionLifetime,
            deviceExpires: moment + Self.deviceLifetime
        )
        let outcome = try await store.startSession(start, by: proof)
        let known = outcome.knewDevice ? origin.device : nil
        let signedIn = SignedIn(user: outcome.user, session: session, device: known ?? device)
        return (signedIn, outcome.contact)
    }

    /// Runs a sign-in, and logs its outcome.
    func recorded(
        _ way: SignInLog.Way,
        _ account: Account?,
        _ acquaintance: Acquaintance? = nil,
        from origin: SignInOrigin,
        _ body: () async throws(SharingError) -> SignedIn
    ) async throws(SharingError) -> SignedIn {
        do throws(SharingError) {
            let signedIn = try await body()
            log.signedIn(signedIn.user.id, way, from: origin, acquaintance)
            return signedIn
        } catch {
            log.refused(account?.user.id, way, from: origin, error)
            throw error
        }
    }

    private func acquaintance(
        of account: Account?,
        _ origin: SignInOrigin
    ) async throws(SharingError) -> Acquaintance {
        guard let account else { return .stranger }
        if let device = origin.device, try await isDevice(device, of: account.user.id) {
            return .device(device.hash)
        }
        let isKnown = try await store.knowsNetwork(origin.subnet, of: account.user.id)
        return isKnown ? .network : .stranger
    }

    private func isDevice(_ secret: Secret, of user: UserID) async throws(SharingError) -> Bool {
        try await store.signIn(secret.hash, kind: .device, at: now())?.user.id == user
    }

    /// The keys that an attempt counts for.
    ///
    /// An attempt from a known browser doesn't count for the address, which strangers may share.
    private static func keys(
        _ login: String,
        _ origin: SignInOrigin,
        _ acquaintance: Acquaintance
    ) -> [AttemptLimiter.Key] {
        switch acquaintance {
        case .device(let device): [.device(device)]
        case .network: [.network(origin.subnet, of: login), .address(origin.network)]
        case .stranger: [.account(login), .address(origin.network)]
        }
    }

    /// Sets a password.
    ///
    /// If one is set, the caller must give it.
    ///
    /// Ends all other sessions, and with `endsTokens` all tokens; the caller's own sign-in stays.
    ///
    /// A password that is set counts as a try does, also with the right `current`: each takes a hash.
    ///
    /// - Throws: The errors of ``confirm(_:of:from:)``; `invalidField` for a password that is too short or too long;
    ///   `tooManyRequests`.
    package func setPassword(
        _ password: String,
        current: String?,
        endsTokens: Bool,
        by caller: Caller,
        from origin: SignInOrigin
    ) async throws(SharingError) {
        try await confirm(current, of: caller, from: origin)
        let hash = try await attempt([], costing: [.passwords(by: "\(caller.user)")]) {
            () throws(SharingError) in
            try await passwords.hash(password, for: .person(caller.user))
        }
        let author = Author(name: "\(caller.user)", actor: .user, network: origin.network)
        try await store.setPassword(
            caller.user,
            hash: hash,
            ending: Self.end(tokens: endsTokens, except: caller.credential),
            noting: [author.event(.password, at: now())],
            at: serverTime(),
            under: caller.warrant(needsOperator: false, at: now())
        )
        log.changed(endsTokens ? "password, tokens" : "password", of: caller.user, by: author.name)
    }

    /// Checks the password that a caller gave for a change of what signs them in.
    ///
    /// In place of a password whose hash needs more memory than the limit counts a session that began in the last 15
    /// minutes: a link started it, as only links sign in to such an account.
    ///
    /// - Throws: `invalidCredentials` if `current` isn't the password that is set; `invalidField` for a `current` where none
    ///   is set; `passwordNotChecked` in an older session; `tooManyRequests`; `unavailable`.
    package func confirm(_ current: String?, of caller: Caller, from origin: SignInOrigin)
        async throws(SharingError)
    {
        guard let hash = try await store.account(caller.user).passwordHash else {
            guard current == nil else {
                throw SharingError(.invalidField, "current must be left out: this account has no password.")
            }
            return
        }
        do throws(SharingError) {
            guard passwords.excess(of: hash) == nil else { return try await checkNewness(of: caller) }
            try await check(current, against: hash, of: caller)
        } catch {
            log.refused(caller.user, .change, from: origin, error)
            throw error
        }
    }

    /// Checks that the caller's session began in the last 15 minutes.
    private func checkNewness(of caller: Caller) async throws(SharingError) {
        let session = try await store.credentials(of: caller.user).first { $0.secret == caller.credential }
        guard let session, session.kind == .session, now() < session.created + Self.newness else {
            throw SharingError(
                .passwordNotChecked,
                """
                current can't be checked, as it was set on a server with more memory: sign in with a new link and \
                send this again within 15 minutes, or have an operator set a new password.
                """
            )
        }
    }

    /// Checks the current password.
    ///
    /// A wrong password uses one attempt of the caller's session or token, and one of the person's, who may have hundreds of sessions.
    /// A session's attempts come back more slowly than the person's, so that no session alone uses up the person's. A right password
    /// uses one of the person's right attempts.
    private func check(_ password: String?, against hash: String, of caller: Caller)
        async throws(SharingError)
    {
        let tries: [AttemptLimiter.Key] = [.device(caller.credential), .wrongPasswords(of: caller.user)]
        let costly = AttemptLimiter.Key.rightPassword(of: caller.user)
        try await attempt(tries, costing: [costly]) { () throws(SharingError) in
            guard let password,
                try await passwords.verify(password, against: hash, for: .person(caller.user)) != .wrong
            else {
                throw SharingError(.invalidCredentials, "current is not the account's password.")
            }
        }
    }
}
