package import YonderModel
package import YonderRules

// Changes of accounts without events.
extension AccountStore {
    /// Replaces a person's profile.
    ///
    /// - Throws: The errors of ``update(_:noting:_:)``.
    package func update(_ user: UserID, profile: Profile, noting events: [AccountEvent] = [])
        async throws(SharingError) -> User
    {
        try await update(user, noting: events) { $0 = profile }
    }

    /// Changes an account for an operator.
    ///
    /// - Throws: The errors of ``change(_:_:noting:)``.
    package func change(_ user: UserID, _ change: AccountChange) async throws(SharingError) -> Account {
        try await self.change(user, change, noting: [])
    }

    /// Sets or removes a password's hash.
    ///
    /// - Throws: The errors of ``setPassword(_:hash:ending:noting:)``.
    package func setPassword(_ user: UserID, hash: String?) async throws(SharingError) {
        try await setPassword(user, hash: hash, ending: CredentialEnd(), noting: [])
    }

    /// Keeps a credential.
    ///
    /// - Throws: The errors of ``createCredential(_:noting:)``.
    package func createCredential(_ credential: Credential) async throws(SharingError) {
        try await createCredential(credential, noting: [])
    }
}
