import YonderGeodesy

/// Accounts, contacts and credentials in memory.
struct MemoryAccounts: Sendable {
    private var accounts: [UserID: Account] = [:]
    private var logins: [String: UserID] = [:]
    private var contacts: [UserID: Set<UserID>] = [:]
    private var blocks: [UserID: Set<UserID>] = [:]
    private var invitations: [SecretHash: Invitation] = [:]
    private var credentials: [SecretHash: Credential] = [:]
    private var networks: [UserID: [String: Timestamp]] = [:]
    private var leavers: Set<UserID> = []

    mutating func create(_ account: Account, contact: UserID? = nil) throws(SharingError) {
        guard accounts[account.user.id] == nil else { throw .nameTaken }
        if let contact { _ = try self.account(contact) }
        if let login = account.login {
            guard logins[login] == nil else { throw .nameTaken }
            logins[login] = account.user.id
        }
        accounts[account.user.id] = account
        if let contact { try connect(contact, account.user.id) }
    }

    func account(_ user: UserID) throws(SharingError) -> Account {
        guard let account = accounts[user] else { throw .unknownUser }
        return account
    }

    func account(login: String) -> Account? {
        logins[login].flatMap { accounts[$0] }
    }

    func accounts(after: UserID?, limit: Int) -> [Account] {
        let ordered = accounts.values.sorted { ($0.created, $0.user.id) < ($1.created, $1.user.id) }
        guard let after else { return Array(ordered.prefix(max(0, limit))) }
        guard let place = ordered.firstIndex(where: { $0.user.id == after }) else { return [] }
        return Array(ordered[(place + 1)...].prefix(max(0, limit)))
    }

    mutating func update(_ user: UserID, profile: Profile) throws(SharingError) -> User {
        var account = try account(user)
        account.user = User(
            id: user,
            name: profile.name,
            email: profile.email,
            avatar: profile.avatar,
            hue: account.user.hue
        )
        accounts[user] = account
        return account.user
    }

    mutating func setShowsReads(_ user: UserID, _ showsReads: Bool) throws(SharingError) {
        var account = try account(user)
        account.showsReads = showsReads
        accounts[user] = account
    }

    /// Whether others aren't to know how far a person has read.
    func hidesReads(_ user: UserID) -> Bool {
        !(accounts[user]?.showsReads ?? true)
    }

    mutating func setPassword(_ user: UserID, hash: String?) throws(SharingError) {
        var account = try account(user)
        account.passwordHash = hash
        accounts[user] = account
    }

    mutating func replacePassword(_ user: UserID, hash old: String, with new: String) throws(SharingError)
        -> Bool
    {
        var account = try account(user)
        guard account.passwordHash == old else { return false }
        account.passwordHash = new
        accounts[user] = account
        return true
    }

    func users(_ ids: Set<UserID>) -> [User] {
        ids.compactMap { accounts[$0]?.user }
    }

    func contacts(of user: UserID) -> Set<UserID> {
        contacts[user] ?? []
    }

    mutating func connect(_ one: UserID, _ other: UserID) throws(SharingError) {
        guard accounts[one] != nil, accounts[other] != nil, one != other, !areApart(one, other) else {
            throw .unknownUser
        }
        contacts[one, default: []].insert(other)
        contacts[other, default: []].insert(one)
        for user in [one, other] where accounts[user]?.user.hue == nil {
            let known = contacts[one, default: []].union(contacts[other, default: []])
            var free = FreeHues(among: known.compactMap { accounts[$0]?.user.hue }, for: user)
            accounts[user]?.user.hue = free.take()
        }
    }

    mutating func create(_ invitation: Invitation) throws(SharingError) {
        guard accounts[invitation.sender] != nil else { throw .unknownUser }
        let open = invitations.values.count {
            $0.sender == invitation.sender && $0.expires > invitation.created
        }
        guard open < Invitation.openLimit else { throw .tooManyInvitations }
        invitations[invitation.secret] = invitation
    }

    func invitation(_ secret: SecretHash, at now: Timestamp) throws(SharingError) -> Invitation {
        guard let invitation = invitations[secret], invitation.expires > now else { throw .invitationUsed }
        return invitation
    }

    mutating func accept(_ secret: SecretHash, by user: UserID, at now: Timestamp) throws(SharingError)
        -> User
    {
        let sender = try account(try invitation(secret, at: now).sender).user
        guard sender.id != user, !areApart(sender.id, user) else { throw .invitationUsed }
        try connect(sender.id, user)
        invitations[secret] = nil
        return sender
    }

    mutating func accept(_ secret: SecretHash, creating account: Account, at now: Timestamp)
        throws(SharingError) -> User
    {
        _ = try invitation(secret, at: now)
        try create(account)
        return try accept(secret, by: account.user.id, at: now)
    }

    mutating func create(_ credential: Credential) throws(SharingError) {
        guard accounts[credential.user] != nil else { throw .unknownUser }
        credentials = credentials.filter {
            $0.value.user != credential.user || $0.value.isGood(at: credential.created)
        }
        guard credentials.values.count(where: { $0.user == credential.user }) < Credential.limit else {
            throw .tooManyCredentials
        }
        credentials[credential.secret] = credential
    }

    func signIn(_ secret: SecretHash, kind: Credential.Kind, at now: Timestamp) throws(SharingError)
        -> SignIn?
    {
        guard let credential = credential(secret, kind: kind, at: now) else { return nil }
        let account = try account(credential.user)
        return account.isDisabled ? nil : SignIn(credential: credential, user: account.user)
    }

    private func credential(_ secret: SecretHash, kind: Credential.Kind, at now: Timestamp) -> Credential? {
        credentials[secret].flatMap { $0.kind == kind && $0.isGood(at: now) ? $0 : nil }
    }

    mutating func redeem(_ link: SecretHash, for session: (UserID) -> Credential, at now: Timestamp)
        throws(SharingError) -> Credential
    {
        guard let found = credential(link, kind: .link, at: now) else { throw .linkUsed }
        credentials[link] = nil
        let credential = session(found.user)
        do throws(SharingError) {
            try create(credential)
        } catch {
            credentials[link] = found
            throw error
        }
        return credential
    }

    func credentials(of user: UserID) -> [Credential] {
        credentials.values.filter { $0.user == user }.sorted(by: Credential.isListedBefore)
    }

    mutating func removeCredential(_ secret: SecretHash, of user: UserID) {
        if credentials[secret]?.user == user { credentials[secret] = nil }
    }

    mutating func removeCredentials(of user: UserID, kinds: Set<Credential.Kind>, except kept: SecretHash?)
        -> [Credential]
    {
        let removed = credentials(of: user).filter { kinds.contains($0.kind) && $0.secret != kept }
        for credential in removed { credentials[credential.secret] = nil }
        return removed
    }
}

// Blocks and hues.
extension MemoryAccounts {
    mutating func disconnect(_ one: UserID, _ other: UserID) {
        contacts[one]?.remove(other)
        contacts[other]?.remove(one)
    }

    mutating func block(_ user: UserID, by blocker: UserID) throws(SharingError) {
        guard accounts[user] != nil, accounts[blocker] != nil, user != blocker else { throw .unknownUser }
        let known = blocks[blocker] ?? []
        guard known.contains(user) || known.count < Block.limit else { throw .tooManyBlocks }
        blocks[blocker, default: []].insert(user)
        disconnect(user, blocker)
    }

    mutating func unblock(_ user: UserID, by blocker: UserID) {
        blocks[blocker]?.remove(user)
    }

    func blocked(by user: UserID) -> [User] {
        users(blocks[user] ?? []).sorted(by: User.isListedBefore)
    }

    /// Whether one of two blocks the other.
    private func areApart(_ one: UserID, _ other: UserID) -> Bool {
        blocks[one]?.contains(other) ?? false || blocks[other]?.contains(one) ?? false
    }

    /// Whether it is the one-to-one chat of two users of whom one blocks the other.
    func isClosed(_ chat: Chat) -> Bool {
        guard chat.isOneToOne, chat.participants.count == 2 else { return false }
        return areApart(chat.participants[0].user, chat.participants[1].user)
    }

    /// Everyone who blocks a user, with the user that they block.
    var allBlocks: [(blocker: UserID, user: UserID)] {
        blocks.flatMap { blocker, users in users.map { (blocker, $0) } }
    }

    mutating func setHue(_ user: UserID, _ hue: Int) throws(SharingError) {
        var account = try account(user)
        account.user.hue = hue
        accounts[user] = account
    }

    /// Gives a hue to those participants of a chat who have none.
    mutating func giveHues(in chat: Chat) {
        let people = chat.participants.filter(\.isPresent).map(\.user)
        var free = FreeHues(among: people.compactMap { accounts[$0]?.user.hue })
        for user in people where accounts[user] != nil && accounts[user]?.user.hue == nil {
            accounts[user]?.user.hue = free.take()
        }
    }
}

// What operators do.
extension MemoryAccounts {
    mutating func change(_ user: UserID, _ change: AccountChange) throws(SharingError) -> Account {
        let old = try account(user)
        let new = change.applied(to: old)
        if let login = new.login, let holder = logins[login], holder != user { throw .nameTaken }
        if !new.isOperator || new.isDisabled { try checkOperators(but: old) }
        if let login = old.login { logins[login] = nil }
        if let login = new.login { logins[login] = user }
        accounts[user] = new
        if new.isDisabled {
            _ = removeCredentials(of: user, kinds: [.session, .link, .device], except: nil)
        }
        return new
    }

    mutating func remove(_ user: UserID) throws(SharingError) {
        guard let account = accounts[user] else {
            if leavers.contains(user) { return }
            throw .unknownUser
        }
        try checkOperators(but: account)
        if let login = account.login { logins[login] = nil }
        accounts[user] = nil
        credentials = credentials.filter { $0.value.user != user }
        invitations = invitations.filter { $0.value.sender != user }
        networks[user] = nil
        for other in contacts.removeValue(forKey: user) ?? [] { contacts[other]?.remove(user) }
        blocks[user] = nil
        for other in blocks.keys { blocks[other]?.remove(user) }
        leavers.insert(user)
    }

    func leaving() -> [UserID] { leavers.sorted() }

    mutating func left(_ user: UserID) { leavers.remove(user) }

    /// Refuses to do without an operator if there is no other one who isn't disabled.
    private func checkOperators(but account: Account) throws(SharingError) {
        guard account.isOperator, !account.isDisabled else { return }
        let isAnother = { (other: Account) in
            other.isOperator && !other.isDisabled && other.user.id != account.user.id
        }
        guard accounts.values.contains(where: isAnother) else { throw .lastOperator }
    }
}

// What is known of sign-ins.
extension MemoryAccounts {
    mutating func removeExpired(at now: Timestamp) {
        credentials = credentials.filter { $0.value.isGood(at: now) }
        invitations = invitations.filter { $0.value.expires > now }
    }

    mutating func note(_ sightings: [CredentialUse]) {
        for sighting in sightings {
            let time = sighting.time
            if credentials[sighting.credential]?.user == sighting.user {
                credentials[sighting.credential]?.lastSeen = time
                if let network = sighting.network { credentials[sighting.credential]?.network = network }
            }
            guard let seen = accounts[sighting.user] else { continue }
            accounts[sighting.user]?.lastSeen = max(seen.lastSeen ?? time, time)
        }
    }

    func newestSignIn() -> Timestamp? {
        (credentials.values.map(\.created) + accounts.values.compactMap(\.lastSeen)).max()
    }

    mutating func noteNetwork(_ network: String, of user: UserID, at time: Timestamp) throws(SharingError) {
        _ = try account(user)
        networks[user, default: [:]][network] = time
        let known = networks[user, default: [:]]
        guard known.count > KnownNetwork.limit, let oldest = known.min(by: { $0.value < $1.value }) else {
            return
        }
        networks[user]?[oldest.key] = nil
    }

    func knowsNetwork(_ network: String, of user: UserID) -> Bool {
        networks[user]?[network] != nil
    }
}
