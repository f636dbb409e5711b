package import YonderGeodesy
package import YonderModel

/// Keeps accounts, contacts, and what signs people in.
///
/// `Accounts` of `YonderAccounts` is the main caller; the exchange reads names, contacts and blocks here, and the endpoints
/// of chats and images what they show. Both databases have it from one extension of `TableStore`; `MemoryStore` is the
/// tests'. Any thread may call. A write is on disk when it returns; one that throws has changed nothing, but `unavailable`
/// may mean that only the answer was lost.
///
/// Each change carries the ``Warrant`` of its caller, which is judged in the transaction of the change: `notSignedIn` if the
/// sign-in ended, `notAllowed` if the operator's role did. What a proof of its own entitles to (``startSession(_:by:)``,
/// ``replacePassword(_:hash:with:)``) and what the server does by itself carry none.
///
/// Secrets come to it hashed and leave it never. The store decides nothing but what must hold at the moment of the write:
/// limits, taken names, the last operator. A further function is implemented once, in `YonderTables/Accounts`, and gets its
/// rule in the suite.
///
/// Every implementation passes the conformance suite in `TestSupport/Stores`.
///
/// Names, limits and refusals there are checked by `StoreRule+Accounts.swift`, `StoreRule+People.swift` and
/// `StoreRule+Operators.swift`; a signature may be changed together with all three implementations.
package protocol AccountStore: Sendable {
    /// Makes an account, and makes it and `contact`, if there is one, contacts, at once.
    ///
    /// - Throws: `nameTaken` if another account has the `login`; `unknownUser` for a contact that isn't there; `unavailable`.
    func createAccount(_ account: Account, contact: UserID?, under warrant: Warrant)
        async throws(SharingError)

    /// The account of a user.
    ///
    /// - Throws: `unknownUser`, `unavailable`.
    func account(_ user: UserID) async throws(SharingError) -> Account

    /// The account with this login name, or `nil`.
    ///
    /// - Throws: `unavailable`.
    func account(login: String) async throws(SharingError) -> Account?

    /// The accounts behind a place of the list, or all, oldest first, at most `limit`.
    ///
    /// - Throws: `unavailable`.
    func accounts(after place: AccountPlace?, limit: Int) async throws(SharingError) -> [Account]

    /// Changes a person's profile as it is stored; if the e-mail address changes, writes `events` at once.
    ///
    /// - Throws: `unknownUser`, `unavailable`.
    func update(
        _ user: UserID,
        noting events: [AccountEvent],
        under warrant: Warrant,
        _ change: @escaping @Sendable (inout Profile) -> Void
    ) async throws(SharingError) -> User

    /// Changes the hue in which a user is drawn.
    ///
    /// - Throws: `unknownUser`, `unavailable`.
    func setHue(_ user: UserID, _ hue: Int, under warrant: Warrant) async throws(SharingError)

    /// Removes the contact between two users; does nothing if they have none.
    ///
    /// - Throws: `unavailable`.
    func disconnect(_ one: UserID, _ other: UserID, under warrant: Warrant) async throws(SharingError)

    /// Has `blocker` block a user; does nothing if they do already.
    ///
    /// The contact between them is removed. Until both have unblocked each other, neither an invitation nor
    /// ``connect(_:_:)`` makes them contacts, and their one-to-one chat takes no messages and no shares. The names and hues
    /// of both are kept with the block: see ``partings(of:with:)``.
    ///
    /// - Returns: Their one-to-one chat, or `nil` if they have none.
    /// - Throws: `unknownUser` if one of them has no account, if both are the same, or if they never met: they are no
    ///   contacts, neither is in a chat in which the other is or was, and the user doesn't block the blocker; `tooMany` over
    ///   ``Block/limit``; `unavailable`.
    @discardableResult
    func block(_ user: UserID, by blocker: UserID, under warrant: Warrant) async throws(SharingError)
        -> ChatID?

    /// Has `blocker` no longer block a user; does nothing if they don't.
    ///
    /// - Returns: Their one-to-one chat, or `nil` if they have none.
    /// - Throws: `unavailable`.
    @discardableResult
    func unblock(_ user: UserID, by blocker: UserID, under warrant: Warrant) async throws(SharingError)
        -> ChatID?

    /// The users that a user blocks, as the user is shown them, by name.
    ///
    /// - Throws: `unavailable`.
    func blocked(by user: UserID) async throws(SharingError) -> [User]

    /// The users among `subjects` whom some of `viewers` are shown as they were at a block.
    ///
    /// These are pairs of whom one blocks the other, without a group in which both are.
    ///
    /// - Throws: `unavailable`.
    func partings(of subjects: Set<UserID>, with viewers: Set<UserID>) async throws(SharingError) -> Partings

    /// The one-to-one chats in which a participant blocks the other, each with the participants who block.
    ///
    /// - Throws: `unavailable`.
    func closedChats() async throws(SharingError) -> [ChatID: Set<UserID>]

    /// Has the others know, or not know, how far a person has read.
    ///
    /// - Throws: `unknownUser`, `unavailable`.
    func setShowsReads(_ user: UserID, _ showsReads: Bool, under warrant: Warrant) async throws(SharingError)

    /// Changes an account for an operator, and writes `events`. Disabling removes its sessions, links and known devices,
    /// and ends all of its shares, at once.
    ///
    /// - Throws: `unknownUser`; `nameTaken` if another account has the login; `lastOperator` if no enabled operator would
    ///   remain; `unavailable`.
    func change(
        _ user: UserID,
        _ change: AccountChange,
        noting events: [AccountEvent],
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Account

    /// Removes an account, its credentials, events, invitations, contacts and known networks, and ends its shares, at once.
    ///
    /// Its user's messages, objects and places in chats are left alone. Until ``left(_:)`` the user is among
    /// ``leaving()``, and may be removed again.
    ///
    /// - Throws: `unknownUser`, `lastOperator`, `unavailable`.
    func remove(_ user: UserID, at now: Timestamp, under warrant: Warrant) async throws(SharingError)

    /// The removed users who may still be in chats.
    ///
    /// - Throws: `unavailable`.
    func leaving() async throws(SharingError) -> [UserID]

    /// Called when a removed user has been removed from all chats.
    ///
    /// - Throws: `unavailable`.
    func left(_ user: UserID) async throws(SharingError)

    /// Sets or removes a password's hash, in the form that the server writes; ends credentials, with the shares that these
    /// alone fed, and writes `events`, at once.
    ///
    /// - Throws: `unknownUser`, `unavailable`.
    func setPassword(
        _ user: UserID,
        hash: String?,
        ending: CredentialEnd,
        noting events: [AccountEvent],
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError)

    /// The events of a user, newest first, at most ``AccountEvent/limit`` of each change.
    ///
    /// - Throws: `unavailable`.
    func events(of user: UserID) async throws(SharingError) -> [AccountEvent]

    /// Replaces a password's hash by another one of the same password, if it is still `old`.
    ///
    /// - Returns: Whether it was.
    /// - Throws: `unknownUser`, `unavailable`.
    @discardableResult
    func replacePassword(_ user: UserID, hash old: String, with new: String) async throws(SharingError)
        -> Bool

    /// Users by id, in no order; unknown ones are left out.
    ///
    /// - Throws: `unavailable`.
    func users(_ ids: Set<UserID>) async throws(SharingError) -> [User]

    /// A user's contacts, by name.
    ///
    /// - Throws: `unavailable`.
    func contacts(of user: UserID) async throws(SharingError) -> [User]

    /// Makes two users contacts of each other.
    ///
    /// - Throws: `unknownUser`, `unavailable`.
    func connect(_ one: UserID, _ other: UserID, under warrant: Warrant) async throws(SharingError)

    /// Keeps an invitation, at most 100 open ones a user.
    ///
    /// - Throws: `unknownUser`, `tooMany`, `unavailable`.
    func createInvitation(_ invitation: Invitation, under warrant: Warrant) async throws(SharingError)

    /// The open invitation with this secret's hash, at `now`.
    ///
    /// - Throws: `invitationUsed`, `unavailable`.
    func invitation(_ secret: SecretHash, at now: Timestamp) async throws(SharingError) -> Invitation

    /// Uses up an invitation and makes its sender and `user` contacts, at once.
    ///
    /// - Throws: `invitationUsed` if it is not open, or if it is the user's own; `unknownUser`; `unavailable`.
    func accept(
        _ secret: SecretHash,
        by user: UserID,
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> User

    /// Keeps a credential: a sign-in link, a session's cookie, or a bearer token; writes `events` at once.
    ///
    /// - Throws: `unknownUser`; `tooMany` over 1 000 of a user; the errors of ``Account/check(mayHave:)``; `unavailable`.
    func createCredential(
        _ credential: Credential,
        noting events: [AccountEvent],
        under warrant: Warrant
    ) async throws(SharingError)

    /// The credential with this secret's hash and whose it is, if it is of this kind and good at `now`, else `nil`.
    ///
    /// A disabled account has none.
    ///
    /// - Throws: `unavailable`.
    func signIn(
        _ secret: SecretHash,
        kind: Credential.Kind,
        at now: Timestamp
    ) async throws(SharingError) -> SignIn?

    /// Starts a session, at once with what entitles to it: a link or an invitation that is used up stays good if
    /// anything fails.
    ///
    /// Of the networks that a user has signed in from the ``KnownNetwork/limit`` newest are kept, and of the browsers the
    /// ``SessionStart/deviceLimit`` newest.
    ///
    /// - Throws: `invalidCredentials` for a link that isn't good, or for a password if the account has another version; `invitationUsed`, or `nameTaken` for its account;
    ///   `unknownUser`; `accountDisabled`; `tooMany` as for any credential; `unavailable`.
    func startSession(_ start: SessionStart, by proof: SessionStart.Proof) async throws(SharingError)
        -> SessionStart.Outcome

    /// The credentials of a user, newest first, without what is in them.
    ///
    /// - Throws: `unavailable`.
    func credentials(of user: UserID) async throws(SharingError) -> [Credential]

    /// Removes a credential of a user's, with the shares that it alone fed (``SignInEnd``); nothing if it isn't there.
    ///
    /// - Throws: `unavailable`.
    func removeCredential(_ secret: SecretHash, of user: UserID, at now: Timestamp, under warrant: Warrant)
        async throws(SharingError)

    /// Removes the credentials of these kinds of a user's, all at once, but for `kept`, with the shares that they alone
    /// fed.
    ///
    /// - Returns: Those that were removed.
    /// - Throws: `unavailable`.
    @discardableResult
    func removeCredentials(
        of user: UserID,
        kinds: Set<Credential.Kind>,
        except kept: SecretHash?,
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> [Credential]

    /// Judges a warrant without a change: for what is read or received for long.
    ///
    /// - Throws: `notSignedIn`, `notAllowed`, `unavailable`.
    func judge(_ warrant: Warrant) async throws(SharingError)

    /// Removes the links, sessions, devices and invitations of all users that have expired at `now`; each session with the
    /// shares that it alone fed.
    ///
    /// - Throws: `unavailable`.
    func removeExpired(at now: Timestamp) async throws(SharingError)

    /// Stores when credentials were used; for a removed credential only when its user was last seen.
    ///
    /// - Throws: `unavailable`.
    func note(_ sightings: [CredentialUse]) async throws(SharingError)

    /// The newest time at which a credential was made or an account seen, or `nil` if there is none.
    ///
    /// - Throws: `unavailable`.
    func newestSignIn() async throws(SharingError) -> Timestamp?

    /// Whether a user has signed in from a network before.
    ///
    /// - Throws: `unavailable`.
    func knowsNetwork(_ network: String, of user: UserID) async throws(SharingError) -> Bool
}

/// A place in the list of accounts, which stays where it is when the account is removed.
package struct AccountPlace: Hashable, Sendable {
    /// When the account was made.
    package let created: Timestamp

    /// Whose it was.
    package let user: UserID

    /// Creates a place.
    package init(created: Timestamp, user: UserID) {
        self.created = created
        self.user = user
    }
}

extension Account {
    /// Its place in the list of accounts.
    package var place: AccountPlace { AccountPlace(created: created, user: user.id) }
}

/// Blocks between users.
package enum Block {
    /// The most users that one user may block.
    package static let limit = 1_000
}

/// The networks that a user has signed in from.
package enum KnownNetwork {
    /// How many of a user's are kept.
    package static let limit = 32
}

/// A credential that is good, and whose it is.
package struct SignIn: Hashable, Sendable {
    /// The credential that was presented.
    package let credential: Credential

    /// The user whom it signs in.
    package let user: User

    /// The account's version: see ``Account/version``.
    package let version: Int64

    /// Creates it.
    package init(credential: Credential, user: User, version: Int64) {
        self.credential = credential
        self.user = user
        self.version = version
    }
}
