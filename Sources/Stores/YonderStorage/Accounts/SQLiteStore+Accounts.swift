package import YonderGeodesy
package import YonderModel
package import YonderRules
import YonderSQLite

extension SQLiteStore: AccountStore {
    /// See ``AccountStore/createAccount(_:contact:)``.
    package func createAccount(_ account: Account, contact: UserID?) async throws(SharingError) {
        try await write { database, _ in
            try AccountRow.insert(account, into: database)
            if let contact { try AccountRow.connect(contact, account.user.id, in: database) }
        }
    }

    /// See ``AccountStore/account(_:)``.
    package func account(_ user: UserID) async throws(SharingError) -> Account {
        try await file.read { try AccountRow.account(user, in: $0) }
    }

    /// See ``AccountStore/account(login:)``.
    package func account(login: String) async throws(SharingError) -> Account? {
        try await file.read { try AccountRow.account(login: login, in: $0) }
    }

    /// See ``AccountStore/accounts(after:limit:)``.
    package func accounts(after place: AccountPlace?, limit: Int) async throws(SharingError) -> [Account] {
        try await file.read { try AccountRow.accounts(after: place, limit: limit, in: $0) }
    }

    /// See ``AccountStore/update(_:noting:_:)``.
    package func update(
        _ user: UserID,
        noting events: [AccountEvent],
        _ change: @escaping @Sendable (inout Profile) -> Void
    ) async throws(SharingError) -> User {
        try await erase { database, _ in
            let stored = try AccountRow.account(user, in: database).user
            let updated = try AccountRow.update(user, profile: stored.profile(change), in: database)
            if updated.email != stored.email {
                try AccountEventRow.insert(events, of: user, into: database)
            }
            return updated
        }
    }

    /// See ``AccountStore/setHue(_:_:)``.
    package func setHue(_ user: UserID, _ hue: Int) async throws(SharingError) {
        try await write { database, _ in try AccountRow.setHue(user, hue, in: database) }
    }

    /// See ``AccountStore/disconnect(_:_:)``.
    package func disconnect(_ one: UserID, _ other: UserID) async throws(SharingError) {
        try await write { database, _ in try AccountRow.disconnect(one, other, in: database) }
    }

    /// See ``AccountStore/block(_:by:)``.
    @discardableResult
    package func block(_ user: UserID, by blocker: UserID) async throws(SharingError) -> ChatID? {
        try await write { database, writer in try writer.block(user, by: blocker, in: database) }
    }

    /// See ``AccountStore/unblock(_:by:)``.
    @discardableResult
    package func unblock(_ user: UserID, by blocker: UserID) async throws(SharingError) -> ChatID? {
        try await write { database, writer in try writer.unblock(user, by: blocker, in: database) }
    }

    /// See ``AccountStore/blocked(by:)``.
    package func blocked(by user: UserID) async throws(SharingError) -> [User] {
        try await file.read { try BlockRow.blocked(by: user, in: $0) }
    }

    /// See ``AccountStore/partings(of:with:)``.
    package func partings(of subjects: Set<UserID>, with viewers: Set<UserID>) async throws(SharingError)
        -> Partings
    {
        guard !subjects.isEmpty, !viewers.isEmpty else { return Partings() }
        return try await file.read { try BlockRow.partings(of: subjects, with: viewers, in: $0) }
    }

    /// See ``AccountStore/closedChats()``.
    package func closedChats() async throws(SharingError) -> [ChatID: Set<UserID>] {
        try await file.read { try BlockRow.closedChats(in: $0) }
    }

    /// See ``AccountStore/setShowsReads(_:_:)``.
    package func setShowsReads(_ user: UserID, _ showsReads: Bool) async throws(SharingError) {
        try await write { database, _ in
            try AccountRow.setShowsReads(user, showsReads, in: database)
        }
    }

    /// See ``AccountStore/change(_:_:noting:)``.
    package func change(_ user: UserID, _ change: AccountChange, noting events: [AccountEvent])
        async throws(SharingError) -> Account
    {
        try await erase { database, writer in
            try writer.signIns(of: user, in: database) {
                let account = try AccountRow.change(user, change, in: database)
                try AccountEventRow.insert(events, of: user, into: database)
                return (account, [])
            }
        }
    }

    /// See ``AccountStore/remove(_:)``.
    package func remove(_ user: UserID) async throws(SharingError) {
        try await erase { database, writer in
            try writer.signIns(of: user, in: database) { (try AccountRow.remove(user, in: database), []) }
        }
    }

    /// See ``AccountStore/leaving()``.
    package func leaving() async throws(SharingError) -> [UserID] {
        try await file.read { try AccountRow.leaving(in: $0) }
    }

    /// See ``AccountStore/left(_:)``.
    package func left(_ user: UserID) async throws(SharingError) {
        try await write { database, _ in try AccountRow.left(user, in: database) }
    }

    /// See ``AccountStore/setPassword(_:hash:ending:noting:)``.
    package func setPassword(
        _ user: UserID,
        hash: String?,
        ending: CredentialEnd,
        noting events: [AccountEvent]
    ) async throws(SharingError) {
        try await erase { database, writer in
            try writer.signIns(of: user, in: database) {
                try AccountRow.setPassword(user, hash: hash, in: database)
                try AccountEventRow.insert(events, of: user, into: database)
                return ((), try CredentialRow.removeAll(of: user, ending, in: database))
            }
        }
    }

    /// See ``AccountStore/events(of:)``.
    package func events(of user: UserID) async throws(SharingError) -> [AccountEvent] {
        try await file.read { try AccountEventRow.events(of: user, in: $0) }
    }

    /// See ``AccountStore/replacePassword(_:hash:with:)``.
    @discardableResult
    package func replacePassword(
        _ user: UserID,
        hash old: String,
        with new: String
    ) async throws(SharingError) -> Bool {
        try await write { database, writer in
            try writer.signIns(of: user, in: database) {
                (try AccountRow.replacePassword(user, hash: old, with: new, in: database), [])
            }
        }
    }

    /// See ``AccountStore/users(_:)``.
    package func users(_ ids: Set<UserID>) async throws(SharingError) -> [User] {
        try await file.read { try AccountRow.users(ids, in: $0) }
    }

    /// See ``AccountStore/contacts(of:)``.
    package func contacts(of user: UserID) async throws(SharingError) -> [User] {
        try await file.read { try AccountRow.contacts(of: user, in: $0) }
    }

    /// See ``AccountStore/connect(_:_:)``.
    package func connect(_ one: UserID, _ other: UserID) async throws(SharingError) {
        try await write { database, _ in try AccountRow.connect(one, other, in: database) }
    }

    /// See ``AccountStore/createInvitation(_:)``.
    package func createInvitation(_ invitation: Invitation) async throws(SharingError) {
        try await write { database, _ in try InvitationRow.insert(invitation, into: database) }
    }

    /// See ``AccountStore/invitation(_:at:)``.
    package func invitation(_ secret: SecretHash, at now: Timestamp) async throws(SharingError) -> Invitation
    {
        try await file.read { try InvitationRow.invitation(secret, at: now, in: $0) }
    }

    /// See ``AccountStore/accept(_:by:at:)``.
    package func accept(
        _ secret: SecretHash,
        by user: UserID,
        at now: Timestamp
    ) async throws(SharingError) -> User {
        try await write { database, _ in try InvitationRow.accept(secret, by: user, at: now, in: database) }
    }

    /// See ``AccountStore/createCredential(_:noting:)``.
    package func createCredential(_ credential: Credential, noting events: [AccountEvent])
        async throws(SharingError)
    {
        try await write { database, _ in
            try CredentialRow.insert(credential, into: database)
            try AccountEventRow.insert(events, of: credential.user, into: database)
        }
    }

    /// See ``AccountStore/signIn(_:kind:at:)``.
    package func signIn(
        _ secret: SecretHash,
        kind: Credential.Kind,
        at now: Timestamp
    ) async throws(SharingError) -> SignIn? {
        try await file.read { database in
            try CredentialRow.credential(secret, kind: kind, at: now, in: database).flatMap { credential in
                let account = try AccountRow.account(credential.user, in: database)
                guard !account.isDisabled else { return nil }
                return SignIn(credential: credential, user: account.user, version: account.version)
            }
        }
    }

    /// See ``AccountStore/startSession(_:by:)``.
    package func startSession(_ start: SessionStart, by proof: SessionStart.Proof) async throws(SharingError)
        -> SessionStart.Outcome
    {
        try await write { database, _ in try SessionRow.start(start, by: proof, in: database) }
    }

    /// See ``AccountStore/credentials(of:)``.
    package func credentials(of user: UserID) async throws(SharingError) -> [Credential] {
        try await file.read { try CredentialRow.credentials(of: user, in: $0) }
    }

    /// See ``AccountStore/removeCredential(_:of:)``.
    package func removeCredential(_ secret: SecretHash, of user: UserID) async throws(SharingError) {
        try await erase { database, writer in
            try writer.signIns(of: user, in: database) {
                let removed = try CredentialRow.credentials(of: user, in: database).filter {
                    $0.secret == secret
                }
                try CredentialRow.remove(secret, of: user, in: database)
                return ((), removed)
            }
        }
    }

    /// See ``AccountStore/removeCredentials(of:kinds:except:)``.
    @discardableResult
    package func removeCredentials(
        of user: UserID,
        kinds: Set<Credential.Kind>,
        except kept: SecretHash?
    ) async throws(SharingError) -> [Credential] {
        try await write { database, writer in
            try writer.signIns(of: user, in: database) {
                let end = CredentialEnd(kinds, except: kept)
                let removed = try CredentialRow.removeAll(of: user, end, in: database)
                return (removed, removed)
            }
        }
    }

    /// See ``AccountStore/removeExpired(at:)``.
    package func removeExpired(at now: Timestamp) async throws(SharingError) {
        try await write { database, _ in try CredentialRow.removeExpired(at: now, in: database) }
    }

    /// See ``AccountStore/note(_:)``.
    package func note(_ sightings: [CredentialUse]) async throws(SharingError) {
        try await write { database, _ in try SightingRow.note(sightings, in: database) }
    }

    /// See ``AccountStore/newestSignIn()``.
    package func newestSignIn() async throws(SharingError) -> Timestamp? {
        try await file.read { try SightingRow.newest(in: $0) }
    }

    /// See ``AccountStore/knowsNetwork(_:of:)``.
    package func knowsNetwork(_ network: String, of user: UserID) async throws(SharingError) -> Bool {
        try await file.read { try SightingRow.knowsNetwork(network, of: user, in: $0) }
    }
}
