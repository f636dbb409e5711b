package import YonderGeodesy
package import YonderModel
package import YonderRules

// Making accounts, profiles, invitations and contacts, for the endpoints of people and for `Greeting`. What is sent is
// checked here, limits of what a person does are counted by the endpoints before, and the store decides what must hold at
// the moment of the write. Whom a reader may look up must stay as it is: a stranger's id and no one's are refused alike
// (decision 37).
// An invitation is stored as its hash, is used up in the transaction that makes the account or the contact, and an
// attempt with a wrong one counts (`PeopleTests`, `StoreRule+People.swift`).
extension Accounts {
    /// A newly created invitation.
    package struct MadeInvitation: Sendable {
        package let secret: Secret
        package let expires: Timestamp
    }

    /// Creates an account, whose user is a contact of `contact`'s from the start.
    ///
    /// - Throws: `invalidField`, `nameTaken`, `unknownUser`, `unavailable`.
    package func create(
        _ profile: Profile,
        login: String? = nil,
        isOperator: Bool = false,
        contact: UserID? = nil,
        under warrant: Warrant
    ) async throws(SharingError) -> User {
        let account = try account(profile, login: login, isOperator: isOperator)
        try await store.createAccount(account, contact: contact, under: warrant)
        return account.user
    }

    /// Creates the owner's account if there is no account yet, and returns a sign-in link until the owner has
    /// used one.
    ///
    /// - Throws: `unavailable`.
    package func linkForNewOwner() async throws(SharingError) -> Secret? {
        let oldest = try await store.accounts(after: nil, limit: 1).first
        guard let oldest else {
            let owner = try await create(Profile(name: "Owner"), isOperator: true, under: .server)
            return try await makeLink(for: owner.id, under: .server)
        }
        let credentials = try await store.credentials(of: oldest.user.id)
        guard oldest.isOperator, oldest.passwordHash == nil, credentials.allSatisfy({ $0.kind == .link })
        else {
            return nil
        }
        return try await makeLink(for: oldest.user.id, under: .server)
    }

    /// Changes a user's profile.
    ///
    /// - Throws: `invalidField`, `unknownUser`, `unavailable`.
    package func update(
        _ user: UserID,
        by author: Author = .server,
        under warrant: Warrant,
        _ change: @escaping @Sendable (inout Profile) -> Void
    ) async throws(SharingError) -> User {
        try await store.account(user).user.profile(change).validate()
        return try await store.update(
            user,
            noting: [author.event(.email, at: now())],
            under: warrant,
            change
        )
    }

    /// Looks up the profile of a user for a reader: of the reader, of a contact, or of a participant of a chat in which the
    /// reader is now.
    ///
    /// Across a block, a one-to-one chat doesn't count; a common group does.
    ///
    /// - Throws: `unknownUser` if the reader may not see the user, or if there is no such user; `unavailable`.
    package func person(
        _ id: UserID,
        for reader: UserID,
        in chats: any ChatStore
    ) async throws(SharingError) -> User {
        guard let person = try await store.users([id]).first else { throw .unknownUser }
        if id == reader { return person }
        if try await store.contacts(of: reader).contains(where: { $0.id == id }) { return person }
        if try await chats.meets(reader, id, .inGroup) { return person }
        guard try await chats.meets(reader, id, .now),
            try await !store.partings(of: [id], with: [reader]).part(id, reader)
        else { throw .unknownUser }
        return person
    }

    /// Creates an invitation, valid once and for a week.
    ///
    /// - Throws: `tooMany`, `unavailable`.
    package func invite(from user: UserID, under warrant: Warrant) async throws(SharingError)
        -> MadeInvitation
    {
        let secret = Secret.random()
        let moment = now()
        let expires = moment + Self.invitationLifetime
        let invitation = Invitation(secret: secret.hash, sender: user, created: moment, expires: expires)
        try await store.createInvitation(invitation, under: warrant)
        return MadeInvitation(secret: secret, expires: expires)
    }

    /// Returns the sender of an invitation.
    ///
    /// The attempt counts for `network`.
    ///
    /// - Throws: `invitationUsed`, `tooManyRequests`, `unavailable`.
    package func sender(of invitation: String, from network: String) async throws(SharingError) -> User {
        try await attempt([.address(network)]) { () throws(SharingError) in
            let invitation = try await store.invitation(try Self.secret(invitation).hash, at: now())
            return try await store.account(invitation.sender).user
        }
    }

    /// Accepts an invitation, and returns the new contact.
    ///
    /// - Throws: `invitationUsed`, `unavailable`.
    package func accept(_ invitation: String, by user: UserID, under warrant: Warrant)
        async throws(SharingError) -> User
    {
        try await store.accept(try Self.secret(invitation).hash, by: user, at: now(), under: warrant)
    }

    /// Accepts an invitation without an account: creates one, and signs the user in.
    ///
    /// The attempt counts for the address.
    ///
    /// - Throws: `invalidField`, `invitationUsed`, `tooManyRequests`, `unavailable`.
    package func accept(
        _ invitation: String,
        as profile: Profile,
        from origin: SignInOrigin
    ) async throws(SharingError) -> (signedIn: SignedIn, contact: User) {
        let account = try account(profile, login: nil, isOperator: false)
        var contact: User?
        let signedIn = try await recorded(.invitation, nil, from: origin) { () throws(SharingError) in
            try await attempt([.address(origin.network)]) { () throws(SharingError) in
                let proof = SessionStart.Proof.invitation(
                    try Self.secret(invitation).hash,
                    creating: account
                )
                let started = try await startSession(by: proof, from: origin)
                contact = started.contact
                return started.signedIn
            }
        }
        return (signedIn, contact ?? signedIn.user)
    }

    private func account(
        _ profile: Profile,
        login: String?,
        isOperator: Bool
    ) throws(SharingError) -> Account {
        try profile.validate()
        try Self.check(login: login)
        let user = User(id: .random(), name: profile.name, email: profile.email, avatar: profile.avatar)
        return Account(user: user, login: login, isOperator: isOperator, created: now())
    }

    private static func secret(_ text: String) throws(SharingError) -> Secret {
        guard let secret = Secret(text) else {
            throw SharingError(.invitationUsed, "The invitation was used, or is too old.")
        }
        return secret
    }
}
