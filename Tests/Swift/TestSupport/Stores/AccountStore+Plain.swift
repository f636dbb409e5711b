package import YonderGeodesy
package import YonderModel
package import YonderRules

// Changes of accounts that the server makes by itself, and those without events. Each throws what the port's function throws.
extension AccountStore {
    /// A time that matters to no share.
    private var anyTime: Timestamp { Timestamp(milliseconds: 1_700_000_000_000) }

    /// Makes an account.
    package func createAccount(_ account: Account, contact: UserID? = nil) async throws(SharingError) {
        try await createAccount(account, contact: contact, under: .server)
    }

    /// Changes a person's profile.
    package func update(
        _ user: UserID,
        noting events: [AccountEvent],
        _ change: @escaping @Sendable (inout Profile) -> Void
    ) async throws(SharingError) -> User {
        try await update(user, noting: events, under: .server, change)
    }

    /// Replaces a person's profile.
    package func update(_ user: UserID, profile: Profile, noting events: [AccountEvent] = [])
        async throws(SharingError) -> User
    {
        try await update(user, noting: events) { $0 = profile }
    }

    /// Changes the hue of a user.
    package func setHue(_ user: UserID, _ hue: Int) async throws(SharingError) {
        try await setHue(user, hue, under: .server)
    }

    /// Has the others know, or not know, how far a person has read.
    package func setShowsReads(_ user: UserID, _ showsReads: Bool) async throws(SharingError) {
        try await setShowsReads(user, showsReads, under: .server)
    }

    /// Makes two users contacts.
    package func connect(_ one: UserID, _ other: UserID) async throws(SharingError) {
        try await connect(one, other, under: .server)
    }

    /// Removes the contact between two users.
    package func disconnect(_ one: UserID, _ other: UserID) async throws(SharingError) {
        try await disconnect(one, other, under: .server)
    }

    /// Has `blocker` block a user.
    @discardableResult
    package func block(_ user: UserID, by blocker: UserID) async throws(SharingError) -> ChatID? {
        try await block(user, by: blocker, under: .server)
    }

    /// Has `blocker` no longer block a user.
    @discardableResult
    package func unblock(_ user: UserID, by blocker: UserID) async throws(SharingError) -> ChatID? {
        try await unblock(user, by: blocker, under: .server)
    }

    /// Changes an account for an operator.
    package func change(
        _ user: UserID,
        _ change: AccountChange,
        noting events: [AccountEvent] = [],
        at now: Timestamp? = nil,
        under warrant: Warrant = .server
    ) async throws(SharingError) -> Account {
        try await self.change(user, change, noting: events, at: now ?? anyTime, under: warrant)
    }

    /// Removes an account.
    package func remove(_ user: UserID, at now: Timestamp? = nil, under warrant: Warrant = .server)
        async throws(SharingError)
    {
        try await remove(user, at: now ?? anyTime, under: warrant)
    }

    /// Sets or removes a password's hash.
    package func setPassword(
        _ user: UserID,
        hash: String?,
        ending: CredentialEnd = CredentialEnd(),
        noting events: [AccountEvent] = [],
        at now: Timestamp? = nil,
        under warrant: Warrant = .server
    ) async throws(SharingError) {
        try await setPassword(
            user,
            hash: hash,
            ending: ending,
            noting: events,
            at: now ?? anyTime,
            under: warrant
        )
    }

    /// Keeps an invitation.
    package func createInvitation(_ invitation: Invitation) async throws(SharingError) {
        try await createInvitation(invitation, under: .server)
    }

    /// Uses up an invitation.
    package func accept(_ secret: SecretHash, by user: UserID, at now: Timestamp) async throws(SharingError)
        -> User
    {
        try await accept(secret, by: user, at: now, under: .server)
    }

    /// Keeps a credential.
    package func createCredential(_ credential: Credential, noting events: [AccountEvent] = [])
        async throws(SharingError)
    {
        try await createCredential(credential, noting: events, under: .server)
    }

    /// Removes a credential of a user's.
    package func removeCredential(
        _ secret: SecretHash,
        of user: UserID,
        at now: Timestamp? = nil,
        under warrant: Warrant = .server
    ) async throws(SharingError) {
        try await removeCredential(secret, of: user, at: now ?? anyTime, under: warrant)
    }

    /// Removes the credentials of these kinds of a user's, but for `kept`.
    @discardableResult
    package func removeCredentials(
        of user: UserID,
        kinds: Set<Credential.Kind>,
        except kept: SecretHash?,
        at now: Timestamp? = nil,
        under warrant: Warrant = .server
    ) async throws(SharingError) -> [Credential] {
        try await removeCredentials(
            of: user,
            kinds: kinds,
            except: kept,
            at: now ?? anyTime,
            under: warrant
        )
    }
}

extension AccountStore {
    /// The proof of a password that was checked just now.
    package func password(of user: UserID) async -> SessionStart.Proof {
        .password(user, version: (try? await account(user))?.version ?? 0)
    }
}

extension ImageStore {
    /// Keeps an image.
    package func addImage(_ image: StoredImage) async throws(SharingError) {
        try await addImage(image, under: .server)
    }
}

extension KeyStore {
    /// Keeps a key and its secret.
    package func createSigningKey(_ key: SigningKey, secret: SigningSecret) async throws(SharingError) {
        try await createSigningKey(key, secret: secret, under: .server)
    }

    /// Removes a key.
    @discardableResult
    package func removeSigningKey(_ id: String) async throws(SharingError) -> Bool {
        try await removeSigningKey(id, under: .server)
    }
}

extension ChatStore {
    /// Starts a chat.
    package func start(_ wish: ChatStart, at time: Timestamp) async throws(SharingError)
        -> ChatStart.Outcome
    {
        try await start(wish, at: time, under: .server)
    }

    /// Lets a user be added again to a group.
    package func stopStayingOut(of chat: ChatID, by user: UserID) async throws(SharingError) {
        try await stopStayingOut(of: chat, by: user, under: .server)
    }
}

extension ObjectStore {
    /// Makes an entity.
    package func createEntity(_ definition: EntityDefinition, by caller: ObjectCaller, at time: Timestamp)
        async throws(SharingError) -> Entity
    {
        try await createEntity(definition, by: caller, at: time, under: .server)
    }

    /// Replaces the definition of an entity.
    package func changeEntity(_ definition: EntityDefinition, by caller: ObjectCaller, at time: Timestamp)
        async throws(SharingError) -> Entity
    {
        try await changeEntity(definition, by: caller, at: time, under: .server)
    }

    /// Deletes an entity with all its objects.
    package func deleteEntity(_ name: EntityName, by caller: ObjectCaller) async throws(SharingError) {
        try await deleteEntity(name, by: caller, under: .server)
    }
}
