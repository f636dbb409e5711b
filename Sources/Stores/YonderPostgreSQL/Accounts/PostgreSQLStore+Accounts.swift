#if Postgres
import YonderLibPQ
package import YonderGeodesy
package import YonderModel
package import YonderRules

extension PostgreSQLStore: AccountStore {
    /// See ``AccountStore/createAccount(_:contact:)``.
    package func createAccount(_ account: Account, contact: UserID?) async throws(SharingError) {
        try await once { transaction in
            try await AccountTable.insert(account, transaction)
            if let contact { try await ContactTable.connect(contact, account.user.id, transaction) }
        }
    }

    /// See ``AccountStore/account(_:)``.
    package func account(_ user: UserID) async throws(SharingError) -> Account {
        let row = try await read(AccountTable.byID, [.int(user.rawValue)]).first
        guard let account = row.flatMap(AccountTable.account) else { throw .unknownUser }
        return account
    }

    /// See ``AccountStore/account(login:)``.
    package func account(login: String) async throws(SharingError) -> Account? {
        // PostgreSQL's text has no zero bytes, and no login has one.
        guard !login.utf8.contains(0) else { return nil }
        return try await read(AccountTable.byLogin, [.text(login)]).first.flatMap(AccountTable.account)
    }

    /// See ``AccountStore/accounts(after:limit:)``.
    package func accounts(after place: AccountPlace?, limit: Int) async throws(SharingError) -> [Account] {
        let parameters: [Parameter] = [
            .int(place?.created.milliseconds ?? .min), .int(place?.user.rawValue ?? .min),
            .int(Int64(max(0, limit))),
        ]
        return try await read(AccountTable.page, parameters).compactMap(AccountTable.account)
    }

    /// See ``AccountStore/update(_:noting:_:)``.
    package func update(
        _ user: UserID,
        noting events: [AccountEvent],
        _ change: @escaping @Sendable (inout Profile) -> Void
    ) async throws(SharingError) -> User {
        try await once { transaction in
            let stored = try await AccountTable.locked(user, transaction).user
            let updated = try await AccountTable.update(user, profile: stored.profile(change), transaction)
            if updated.email != stored.email {
                try await AccountEventTable.insert(events, of: user, transaction)
            }
            return updated
        }
    }

    /// See ``AccountStore/setHue(_:_:)``.
    package func setHue(_ user: UserID, _ hue: Int) async throws(SharingError) {
        try await transaction(isRepeatable: true) {
            try await AccountTable.set(AccountTable.hue, of: user, to: .int(Int64(hue)), $0)
        }
    }

    /// See ``AccountStore/disconnect(_:_:)``.
    package func disconnect(_ one: UserID, _ other: UserID) async throws(SharingError) {
        try await transaction(isRepeatable: true) { try await ContactTable.disconnect(one, other, $0) }
    }

    /// See ``AccountStore/block(_:by:)``.
    @discardableResult
    package func block(_ user: UserID, by blocker: UserID) async throws(SharingError) -> ChatID? {
        try await once { try await ContactTable.block(user, by: blocker, $0) }
    }

    /// See ``AccountStore/unblock(_:by:)``.
    @discardableResult
    package func unblock(_ user: UserID, by blocker: UserID) async throws(SharingError) -> ChatID? {
        try await once { try await ContactTable.unblock(user, by: blocker, $0) }
    }

    /// See ``AccountStore/blocked(by:)``.
    package func blocked(by user: UserID) async throws(SharingError) -> [User] {
        let users = try await read(AccountTable.blocked, [.int(user.rawValue)])
            .compactMap(AccountTable.account).map(\.user)
        let partings = try await partings(of: Set(users.map(\.id)), with: [user])
        return users.map { partings.applied(to: $0, for: user) }.sorted(by: User.isListedBefore)
    }

    /// See ``AccountStore/partings(of:with:)``.
    package func partings(of subjects: Set<UserID>, with viewers: Set<UserID>) async throws(SharingError)
        -> Partings
    {
        guard !subjects.isEmpty, !viewers.isEmpty else { return Partings() }
        let rows = try await read(
            ContactTable.partings,
            [.ints(subjects.map(\.rawValue)), .ints(viewers.map(\.rawValue))]
        )
        return ContactTable.partings(rows, subjects: subjects, viewers: viewers)
    }

    /// See ``AccountStore/closedChats()``.
    package func closedChats() async throws(SharingError) -> [ChatID: Set<UserID>] {
        var closed: [ChatID: Set<UserID>] = [:]
        for row in try await read(ContactTable.closedChats) {
            guard let chat = ChatID(row.int(0)), let blocker = UserID(row.int(1)) else { continue }
            closed[chat, default: []].insert(blocker)
        }
        return closed
    }

    /// See ``AccountStore/setShowsReads(_:_:)``.
    package func setShowsReads(_ user: UserID, _ showsReads: Bool) async throws(SharingError) {
        try await transaction(isRepeatable: true) {
            try await AccountTable.set(AccountTable.showsReads, of: user, to: .bool(showsReads), $0)
        }
    }

    /// See ``AccountStore/change(_:_:noting:)``.
    package func change(_ user: UserID, _ change: AccountChange, noting events: [AccountEvent])
        async throws(SharingError) -> Account
    {
        try await once { transaction in
            let account = try await AccountTable.change(user, change, transaction)
            try await AccountEventTable.insert(events, of: user, transaction)
            return account
        }
    }

    /// See ``AccountStore/remove(_:)``.
    package func remove(_ user: UserID) async throws(SharingError) {
        try await once { try await AccountTable.remove(user, $0) }
    }

    /// See ``AccountStore/leaving()``.
    package func leaving() async throws(SharingError) -> [UserID] {
        try await read(AccountTable.leaving).compactMap { UserID($0.int(0)) }
    }

    /// See ``AccountStore/left(_:)``.
    package func left(_ user: UserID) async throws(SharingError) {
        try await run(AccountTable.left, [.int(user.rawValue)])
    }

    /// See ``AccountStore/setPassword(_:hash:ending:noting:)``.
    package func setPassword(
        _ user: UserID,
        hash: String?,
        ending: CredentialEnd,
        noting events: [AccountEvent]
    ) async throws(SharingError) {
        try await once { transaction in
            let old = try await AccountTable.locked(user, transaction)
            try await AccountTable.set(AccountTable.password, of: user, to: .optional(hash), transaction)
            try await AccountEventTable.insert(events, of: user, transaction)
            let removed = try await CredentialTable.removeAll(of: user, ending, transaction)
            try await AccountTable.tellChange(of: old, removed: removed, transaction)
        }
    }

    /// See ``AccountStore/events(of:)``.
    package func events(of user: UserID) async throws(SharingError) -> [AccountEvent] {
        try await read(AccountEventTable.list, [.int(user.rawValue)]).compactMap(AccountEventTable.event)
            .sorted(by: AccountEvent.isListedBefore)
    }

    /// See ``AccountStore/replacePassword(_:hash:with:)``.
    @discardableResult
    package func replacePassword(
        _ user: UserID,
        hash old: String,
        with new: String
    ) async throws(SharingError) -> Bool {
        try await once { transaction in
            let account = try await AccountTable.locked(user, transaction)
            guard account.passwordHash == old else { return false }
            try await AccountTable.set(AccountTable.password, of: user, to: .text(new), transaction)
            try await AccountTable.tellChange(of: account, transaction)
            return true
        }
    }

    /// See ``AccountStore/users(_:)``.
    package func users(_ ids: Set<UserID>) async throws(SharingError) -> [User] {
        try await read(AccountTable.among, [.ints(ids.map(\.rawValue))]).compactMap(AccountTable.account)
            .map(\.user)
    }

    /// See ``AccountStore/contacts(of:)``.
    package func contacts(of user: UserID) async throws(SharingError) -> [User] {
        try await read(AccountTable.contacts, [.int(user.rawValue)]).compactMap(AccountTable.account)
            .map(\.user).sorted(by: User.isListedBefore)
    }

    /// See ``AccountStore/connect(_:_:)``.
    package func connect(_ one: UserID, _ other: UserID) async throws(SharingError) {
        try await transaction(isRepeatable: true) { try await ContactTable.connect(one, other, $0) }
    }

    /// See ``AccountStore/createInvitation(_:)``.
    package func createInvitation(_ invitation: Invitation) async throws(SharingError) {
        try await once { try await InvitationTable.insert(invitation, $0) }
    }

    /// See ``AccountStore/invitation(_:at:)``.
    package func invitation(_ secret: SecretHash, at now: Timestamp) async throws(SharingError) -> Invitation
    {
        let row = try await read(
            InvitationTable.open,
            [.bytes(secret.bytes), .int(now.milliseconds)]
        ).first
        return try InvitationTable.invitation(row, secret)
    }

    /// See ``AccountStore/accept(_:by:at:)``.
    package func accept(
        _ secret: SecretHash,
        by user: UserID,
        at now: Timestamp
    ) async throws(SharingError) -> User {
        try await once { try await InvitationTable.accept(secret, by: user, at: now, $0) }
    }

    /// See ``AccountStore/createCredential(_:noting:)``.
    package func createCredential(_ credential: Credential, noting events: [AccountEvent])
        async throws(SharingError)
    {
        try await once { transaction in
            try await CredentialTable.insert(credential, transaction)
            try await AccountEventTable.insert(events, of: credential.user, transaction)
        }
    }

    /// See ``AccountStore/signIn(_:kind:at:)``.
    package func signIn(
        _ secret: SecretHash,
        kind: Credential.Kind,
        at now: Timestamp
    ) async throws(SharingError) -> SignIn? {
        try await read(
            CredentialTable.signIn,
            [.bytes(secret.bytes), .text(kind.rawValue), .int(now.milliseconds)]
        ).first.flatMap(CredentialTable.signIn)
    }

    /// See ``AccountStore/startSession(_:by:)``.
    package func startSession(_ start: SessionStart, by proof: SessionStart.Proof) async throws(SharingError)
        -> SessionStart.Outcome
    {
        try await once { try await SessionTables.start(start, by: proof, $0) }
    }

    /// See ``AccountStore/credentials(of:)``.
    package func credentials(of user: UserID) async throws(SharingError) -> [Credential] {
        try await read(CredentialTable.list, [.int(user.rawValue)]).compactMap(CredentialTable.credential)
            .sorted(by: Credential.isListedBefore)
    }

    /// See ``AccountStore/removeCredential(_:of:)``.
    package func removeCredential(_ secret: SecretHash, of user: UserID) async throws(SharingError) {
        try await once { try await CredentialTable.remove(secret, of: user, $0) }
    }

    /// See ``AccountStore/removeCredentials(of:kinds:except:)``.
    @discardableResult
    package func removeCredentials(
        of user: UserID,
        kinds: Set<Credential.Kind>,
        except kept: SecretHash?
    ) async throws(SharingError) -> [Credential] {
        try await once { transaction in
            let account = try await AccountTable.locked([user], transaction)[user]
            let end = CredentialEnd(kinds, except: kept)
            let removed = try await CredentialTable.removeAll(of: user, end, transaction)
            if let account { try await AccountTable.tellChange(of: account, removed: removed, transaction) }
            return removed
        }
    }

    /// See ``AccountStore/removeExpired(at:)``.
    package func removeExpired(at now: Timestamp) async throws(SharingError) {
        for statement in SightingTable.expired { try await run(statement, [.int(now.milliseconds)]) }
        try await run(DoneCall.trimming)
        try await trimLimits()
        try await trimRemovals()
    }

    /// See ``AccountStore/note(_:)``.
    package func note(_ sightings: [CredentialUse]) async throws(SharingError) {
        guard !sightings.isEmpty else { return }
        try await transaction(isRepeatable: true) { try await SightingTable.note(sightings, $0) }
    }

    /// See ``AccountStore/newestSignIn()``.
    package func newestSignIn() async throws(SharingError) -> Timestamp? {
        try await read(SightingTable.newest).first?.optionalInt(0).map(Timestamp.init(milliseconds:))
    }

    /// See ``AccountStore/knowsNetwork(_:of:)``.
    package func knowsNetwork(_ network: String, of user: UserID) async throws(SharingError) -> Bool {
        try await !read(SightingTable.knowsNetwork, [.int(user.rawValue), .text(network)]).isEmpty
    }
}
#endif
