package import YonderGeodesy
package import YonderModel
package import YonderRules

extension MemoryStore: AccountStore {
    /// See ``AccountStore/createAccount(_:contact:under:)``.
    package func createAccount(_ account: Account, contact: UserID?, under warrant: Warrant)
        async throws(SharingError)
    {
        try accounts(under: warrant) { accounts throws(SharingError) in
            try accounts.create(account, contact: contact)
        }
    }

    /// See ``AccountStore/account(_:)``.
    package func account(_ user: UserID) async throws(SharingError) -> Account {
        try accounts { accounts throws(SharingError) in try accounts.account(user) }
    }

    /// See ``AccountStore/account(login:)``.
    package func account(login: String) async throws(SharingError) -> Account? {
        try accounts { $0.account(login: login) }
    }

    /// See ``AccountStore/accounts(after:limit:)``.
    package func accounts(after place: AccountPlace?, limit: Int) async throws(SharingError) -> [Account] {
        try accounts { $0.accounts(after: place, limit: limit) }
    }

    /// See ``AccountStore/update(_:noting:under:_:)``.
    package func update(
        _ user: UserID,
        noting events: [AccountEvent],
        under warrant: Warrant,
        _ change: @escaping @Sendable (inout Profile) -> Void
    ) async throws(SharingError) -> User {
        settleImages()
        return try accounts(under: warrant) { accounts throws(SharingError) in
            let stored = try accounts.account(user).user
            let updated = try accounts.update(user, profile: stored.profile(change))
            if updated.email != stored.email { accounts.note(events, of: user) }
            return updated
        }
    }

    /// See ``AccountStore/setHue(_:_:under:)``.
    package func setHue(_ user: UserID, _ hue: Int, under warrant: Warrant) async throws(SharingError) {
        try accounts(under: warrant) { accounts throws(SharingError) in try accounts.setHue(user, hue) }
    }

    /// See ``AccountStore/disconnect(_:_:under:)``.
    package func disconnect(_ one: UserID, _ other: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        try accounts(under: warrant) { $0.disconnect(one, other) }
    }

    /// See ``AccountStore/block(_:by:under:)``.
    @discardableResult
    package func block(_ user: UserID, by blocker: UserID, under warrant: Warrant)
        async throws(SharingError) -> ChatID?
    {
        try await changeBlock(of: user, by: blocker, isBlocked: true, under: warrant) {
            accounts,
            chats throws(SharingError) in
            try accounts.block(
                user,
                by: blocker,
                haveMet: chats.meets(blocker, user, .ever) || chats.meets(user, blocker, .ever)
            )
        }
    }

    /// See ``AccountStore/unblock(_:by:under:)``.
    @discardableResult
    package func unblock(_ user: UserID, by blocker: UserID, under warrant: Warrant)
        async throws(SharingError) -> ChatID?
    {
        try await changeBlock(of: user, by: blocker, isBlocked: false, under: warrant) { accounts, _ in
            accounts.unblock(user, by: blocker)
        }
    }

    /// See ``AccountStore/blocked(by:)``.
    package func blocked(by user: UserID) async throws(SharingError) -> [User] {
        people { $0.blocked(by: user, haveCommonGroup: $1.haveCommonGroup) }
    }

    /// See ``AccountStore/partings(of:with:)``.
    package func partings(of subjects: Set<UserID>, with viewers: Set<UserID>) async throws(SharingError)
        -> Partings
    {
        people { $0.partings(of: subjects, with: viewers, haveCommonGroup: $1.haveCommonGroup) }
    }

    /// See ``AccountStore/closedChats()``.
    package func closedChats() async throws(SharingError) -> [ChatID: Set<UserID>] {
        closedPairs()
    }

    /// See ``AccountStore/setShowsReads(_:_:under:)``.
    package func setShowsReads(_ user: UserID, _ showsReads: Bool, under warrant: Warrant)
        async throws(SharingError)
    {
        try accounts(under: warrant) { accounts throws(SharingError) in
            try accounts.setShowsReads(user, showsReads)
        }
    }

    /// See ``AccountStore/change(_:_:noting:at:under:)``.
    package func change(
        _ user: UserID,
        _ change: AccountChange,
        noting events: [AccountEvent],
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Account {
        try await changeSignIns(of: user, at: now, under: warrant) { accounts throws(SharingError) in
            let account = try accounts.change(user, change)
            accounts.note(events, of: user)
            return (account, [])
        }
    }

    /// See ``AccountStore/remove(_:at:under:)``.
    package func remove(_ user: UserID, at now: Timestamp, under warrant: Warrant) async throws(SharingError)
    {
        try await changeSignIns(of: user, at: now, under: warrant) { accounts throws(SharingError) in
            (try accounts.remove(user), [])
        }
    }

    /// See ``AccountStore/leaving()``.
    package func leaving() async throws(SharingError) -> [UserID] {
        try accounts { $0.leaving() }
    }

    /// See ``AccountStore/left(_:)``.
    package func left(_ user: UserID) async throws(SharingError) {
        try accounts { $0.left(user) }
    }

    /// See ``AccountStore/setPassword(_:hash:ending:noting:at:under:)``.
    package func setPassword(
        _ user: UserID,
        hash: String?,
        ending: CredentialEnd,
        noting events: [AccountEvent],
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) {
        try await changeSignIns(of: user, at: now, under: warrant) { accounts throws(SharingError) in
            try accounts.setPassword(user, hash: hash)
            accounts.note(events, of: user)
            return ((), accounts.removeCredentials(of: user, kinds: ending.kinds, except: ending.kept))
        }
    }

    /// See ``AccountStore/events(of:)``.
    package func events(of user: UserID) async throws(SharingError) -> [AccountEvent] {
        try accounts { $0.events(of: user) }
    }

    /// See ``AccountStore/replacePassword(_:hash:with:)``.
    @discardableResult
    package func replacePassword(
        _ user: UserID,
        hash old: String,
        with new: String
    ) async throws(SharingError) -> Bool {
        // It ends no sign-in, so that no share is judged by the time.
        try await changeSignIns(of: user, at: Timestamp(milliseconds: 0)) { accounts throws(SharingError) in
            (try accounts.replacePassword(user, hash: old, with: new), [])
        }
    }

    /// See ``AccountStore/users(_:)``.
    package func users(_ ids: Set<UserID>) async throws(SharingError) -> [User] {
        try accounts { $0.users(ids) }
    }

    /// See ``AccountStore/contacts(of:)``.
    package func contacts(of user: UserID) async throws(SharingError) -> [User] {
        try accounts { $0.users($0.contacts(of: user)).sorted(by: User.isListedBefore) }
    }

    /// See ``AccountStore/connect(_:_:under:)``.
    package func connect(_ one: UserID, _ other: UserID, under warrant: Warrant) async throws(SharingError) {
        try accounts(under: warrant) { accounts throws(SharingError) in try accounts.connect(one, other) }
    }

    /// See ``AccountStore/createInvitation(_:under:)``.
    package func createInvitation(_ invitation: Invitation, under warrant: Warrant) async throws(SharingError)
    {
        try accounts(under: warrant) { accounts throws(SharingError) in try accounts.create(invitation) }
    }

    /// See ``AccountStore/invitation(_:at:)``.
    package func invitation(_ secret: SecretHash, at now: Timestamp) async throws(SharingError) -> Invitation
    {
        try accounts { accounts throws(SharingError) in try accounts.invitation(secret, at: now) }
    }

    /// See ``AccountStore/accept(_:by:at:under:)``.
    package func accept(
        _ secret: SecretHash,
        by user: UserID,
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> User {
        try accounts(under: warrant) { accounts throws(SharingError) in
            try accounts.accept(secret, by: user, at: now)
        }
    }

    /// See ``AccountStore/createCredential(_:noting:under:)``.
    package func createCredential(
        _ credential: Credential,
        noting events: [AccountEvent],
        under warrant: Warrant
    ) async throws(SharingError) {
        try await addSignIn(at: credential.created, under: warrant) { accounts throws(SharingError) in
            try accounts.account(credential.user).check(mayHave: credential.kind)
            try accounts.create(credential)
            return (accounts.note(events, of: credential.user), credential.user)
        }
    }

    /// See ``AccountStore/signIn(_:kind:at:)``.
    package func signIn(
        _ secret: SecretHash,
        kind: Credential.Kind,
        at now: Timestamp
    ) async throws(SharingError) -> SignIn? {
        let found = try accounts { accounts throws(SharingError) in
            try accounts.signIn(secret, kind: kind, at: now)
        }
        if found != nil { await interruption.headWasJudged() }
        return found
    }

    /// See ``AccountStore/startSession(_:by:)``.
    package func startSession(_ start: SessionStart, by proof: SessionStart.Proof) async throws(SharingError)
        -> SessionStart.Outcome
    {
        try await addSignIn(at: start.time) { accounts throws(SharingError) in
            let outcome = try accounts.startSession(start, by: proof)
            return (outcome, outcome.user.id)
        }
    }

    /// See ``AccountStore/credentials(of:)``.
    package func credentials(of user: UserID) async throws(SharingError) -> [Credential] {
        try accounts { $0.credentials(of: user) }
    }

    /// See ``AccountStore/removeCredential(_:of:at:under:)``.
    package func removeCredential(
        _ secret: SecretHash,
        of user: UserID,
        at now: Timestamp,
        under warrant: Warrant
    )
        async throws(SharingError)
    {
        try await changeSignIns(of: user, at: now, under: warrant) {
            ((), $0.removeCredential(secret, of: user))
        }
    }

    /// See ``AccountStore/removeCredentials(of:kinds:except:at:under:)``.
    @discardableResult
    package func removeCredentials(
        of user: UserID,
        kinds: Set<Credential.Kind>,
        except kept: SecretHash?,
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> [Credential] {
        try await changeSignIns(of: user, at: now, under: warrant) { accounts in
            let removed = accounts.removeCredentials(of: user, kinds: kinds, except: kept)
            return (removed, removed)
        }
    }

    /// See ``AccountStore/removeExpired(at:)``.
    package func removeExpired(at now: Timestamp) async throws(SharingError) {
        await removeExpired(now)
    }

    /// See ``AccountStore/note(_:)``.
    package func note(_ sightings: [CredentialUse]) async throws(SharingError) {
        try accounts { $0.note(sightings) }
    }

    /// See ``AccountStore/newestSignIn()``.
    package func newestSignIn() async throws(SharingError) -> Timestamp? {
        try accounts { $0.newestSignIn() }
    }

    /// See ``AccountStore/knowsNetwork(_:of:)``.
    package func knowsNetwork(_ network: String, of user: UserID) async throws(SharingError) -> Bool {
        try accounts { $0.knowsNetwork(network, of: user) }
    }
}
