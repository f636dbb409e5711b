package import YonderGeodesy
package import YonderModel
package import YonderRules

// What signs users in, and what was noted of it: functions of the port `AccountStore` for both databases. A change of a
// password or of credentials passes the ended sign-ins to the outlet, in its transaction. The statements are in the tables;
// see `TableStore+Accounts.swift` for what belongs here.
// `Accounts` calls them on any thread. That an ended sign-in reaches the outlet in the transaction that ends it must
// stay, since connections are closed by it (`StoreRule+Commits.swift`, `StoreRule+Accounts.swift`, for both databases).
extension TableStore {
    /// See ``AccountStore/setPassword(_:hash:ending:noting:at:under:)``.
    package func setPassword(
        _ user: UserID,
        hash: String?,
        ending: CredentialEnd,
        noting events: [AccountEvent],
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) {
        try await transact(.erasing, under: warrant, with: [user]) { transaction in
            let old = try AccountTable.locked(user, transaction)
            try AccountTable.set(AccountTable.password, of: user, to: .optional(hash), transaction)
            try AccountEventTable.insert(events, of: user, transaction)
            let removed = try CredentialTable.removeAll(of: user, ending, at: now, transaction)
            try AccountTable.tellChange(of: old, removed: removed, transaction)
        }
    }

    /// See ``AccountStore/events(of:)``.
    package func events(of user: UserID) async throws(SharingError) -> [AccountEvent] {
        try await rows(AccountEventTable.events(of: user)).sorted(by: AccountEvent.isListedBefore)
    }

    /// See ``AccountStore/replacePassword(_:hash:with:)``.
    @discardableResult
    package func replacePassword(_ user: UserID, hash old: String, with new: String)
        async throws(SharingError) -> Bool
    {
        try await transact(.once) { transaction in
            let account = try AccountTable.locked(user, transaction)
            guard account.passwordHash == old else { return false }
            try AccountTable.set(AccountTable.password, of: user, to: .text(new), transaction)
            try AccountTable.tellChange(of: account, transaction)
            return true
        }
    }

    /// See ``AccountStore/createCredential(_:noting:under:)``.
    package func createCredential(
        _ credential: Credential,
        noting events: [AccountEvent],
        under warrant: Warrant
    ) async throws(SharingError) {
        try await transact(.once, under: warrant, with: [credential.user]) { transaction in
            try AccountTable.locked(credential.user, transaction).check(mayHave: credential.kind)
            try CredentialTable.insert(credential, transaction)
            try AccountEventTable.insert(events, of: credential.user, transaction)
        }
    }

    /// See ``AccountStore/signIn(_:kind:at:)``.
    package func signIn(_ secret: SecretHash, kind: Credential.Kind, at now: Timestamp)
        async throws(SharingError) -> SignIn?
    {
        try await first(CredentialTable.signIn(secret, kind: kind, at: now))
    }

    /// See ``AccountStore/startSession(_:by:)``.
    package func startSession(_ start: SessionStart, by proof: SessionStart.Proof) async throws(SharingError)
        -> SessionStart.Outcome
    {
        try await transact(.once) { try SessionTables.start(start, by: proof, $0) }
    }

    /// See ``AccountStore/credentials(of:)``.
    package func credentials(of user: UserID) async throws(SharingError) -> [Credential] {
        try await rows(CredentialTable.credentials(of: user)).sorted(by: Credential.isListedBefore)
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
        try await transact(.erasing, under: warrant, with: [user]) {
            try CredentialTable.remove(secret, of: user, at: now, $0)
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
        try await transact(.erasing, under: warrant, with: [user]) { transaction in
            let account = try AccountTable.locked([user], transaction)[user]
            let end = CredentialEnd(kinds, except: kept)
            let removed = try CredentialTable.removeAll(of: user, end, at: now, transaction)
            if let account { try AccountTable.tellChange(of: account, removed: removed, transaction) }
            return removed
        }
    }

    /// Removes every credential and invitation that has expired, as `AccountStore.removeExpired(at:)` asks: sessions and tokens
    /// user by user, each with the shares that they alone fed.
    ///
    /// - Throws: `unavailable`.
    package func removeExpiredSecrets(at now: Timestamp) async throws(SharingError) {
        while case let users = try await rows(CredentialTable.expired(at: now)), !users.isEmpty {
            for user in users {
                try await transact(.once) { transaction in
                    _ = try AccountTable.locked([user], transaction)
                    try CredentialTable.removeExpired(of: user, at: now, transaction)
                }
            }
        }
        for statement in SightingTable.expired {
            try await transact(.repeatable) { _ = try $0.execute(statement, [.int(now.milliseconds)]) }
        }
    }

    /// See ``AccountStore/note(_:)``.
    package func note(_ sightings: [CredentialUse]) async throws(SharingError) {
        guard !sightings.isEmpty else { return }
        try await transact(.repeatable) { try SightingTable.note(sightings, $0) }
    }

    /// See ``AccountStore/newestSignIn()``.
    package func newestSignIn() async throws(SharingError) -> Timestamp? {
        try await first(SightingTable.newest)
    }

    /// See ``AccountStore/knowsNetwork(_:of:)``.
    package func knowsNetwork(_ network: String, of user: UserID) async throws(SharingError) -> Bool {
        try await first(SightingTable.knows(network, of: user)) ?? false
    }
}
