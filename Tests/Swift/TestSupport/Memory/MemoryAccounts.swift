import YonderGeodesy
import YonderModel
import YonderRules

/// Accounts, contacts and credentials in memory.
struct MemoryAccounts: Sendable {
    var accounts: [UserID: Account] = [:]
    var logins: [String: UserID] = [:]
    var contacts: [UserID: Set<UserID>] = [:]
    var blocks: [UserID: [UserID: KeptBlock]] = [:]
    var invitations: [SecretHash: Invitation] = [:]
    var credentials: [SecretHash: Credential] = [:]
    var events: [UserID: [AccountEvent]] = [:]
    var networks: [UserID: [String: Timestamp]] = [:]
    var leavers: Set<UserID> = []

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

    /// The refusal of a sign-in's change, if its right has ended.
    func refusal(of held: HeldSignIn) -> SharingError? {
        held.refusal(accounts[held.user]) {
            guard let found = credentials[held.credential], found.user == held.user else { return false }
            return found.isGood(at: held.time)
        }
    }

    func accounts(after place: AccountPlace?, limit: Int) -> [Account] {
        let ordered = accounts.values.sorted { ($0.created, $0.user.id) < ($1.created, $1.user.id) }
        let rest = ordered.drop { account in
            place.map { (account.created, account.user.id) <= ($0.created, $0.user) } ?? false
        }
        return Array(rest.prefix(max(0, limit)))
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
        if account.passwordHash != hash { account.version += 1 }
        account.passwordHash = hash
        accounts[user] = account
    }

    mutating func replacePassword(_ user: UserID, hash old: String, with new: String) throws(SharingError)
        -> Bool
    {
        var account = try account(user)
        guard account.passwordHash == old else { return false }
        account.passwordHash = new
        account.version += 1
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
            var free = freeHues(around: contacts[one, default: []].union(contacts[other, default: []]))
            accounts[user]?.user.hue = free.take(for: user)
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
        let account = try account(try invitation(secret, at: now).sender)
        let sender = account.user
        guard !account.isDisabled, sender.id != user, !areApart(sender.id, user) else {
            throw .invitationUsed
        }
        try connect(sender.id, user)
        invitations[secret] = nil
        return sender
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
        guard !account.isDisabled else { return nil }
        return SignIn(credential: credential, user: account.user, version: account.version)
    }

    func credential(_ secret: SecretHash, kind: Credential.Kind, at now: Timestamp) -> Credential? {
        credentials[secret].flatMap { $0.kind == kind && $0.isGood(at: now) ? $0 : nil }
    }

    func credentials(of user: UserID) -> [Credential] {
        credentials.values.filter { $0.user == user }.sorted(by: Credential.isListedBefore)
    }

    @discardableResult
    mutating func removeCredential(_ secret: SecretHash, of user: UserID) -> [Credential] {
        guard let removed = credentials[secret], removed.user == user else { return [] }
        credentials[secret] = nil
        if removed.isSignIn { accounts[user]?.version += 1 }
        return [removed]
    }

    mutating func removeCredentials(of user: UserID, kinds: Set<Credential.Kind>, except kept: SecretHash?)
        -> [Credential]
    {
        let removed = credentials(of: user).filter { kinds.contains($0.kind) && $0.secret != kept }
        for credential in removed { removeCredential(credential.secret, of: user) }
        if CredentialEnd(kinds).endsInvitations { removeInvitations(of: user) }
        return removed
    }
}

// Blocks and hues.
extension MemoryAccounts {
    mutating func removeInvitations(of user: UserID) {
        invitations = invitations.filter { $0.value.sender != user }
    }

    mutating func disconnect(_ one: UserID, _ other: UserID) {
        contacts[one]?.remove(other)
        contacts[other]?.remove(one)
    }

    /// `haveMet` says whether one of two is in a chat in which the other is or was.
    mutating func block(_ user: UserID, by blocker: UserID, haveMet: Bool) throws(SharingError) {
        guard let own = accounts[blocker]?.user, let other = accounts[user]?.user, user != blocker else {
            throw .unknownUser
        }
        let (known, reverse) = (blocks[blocker] ?? [:], blocks[user]?[blocker])
        guard known[user] == nil else { return }
        guard haveMet || reverse != nil || contacts(of: blocker).contains(user) else { throw .unknownUser }
        guard known.count < Block.limit else { throw .tooManyBlocks }
        blocks[blocker, default: [:]][user] = reverse?.reversed ?? KeptBlock(by: own, of: other)
        disconnect(user, blocker)
    }

    mutating func unblock(_ user: UserID, by blocker: UserID) {
        blocks[blocker]?[user] = nil
    }

    func blocked(by user: UserID, haveCommonGroup: (UserID, UserID) -> Bool) -> [User] {
        let ids = Set((blocks[user] ?? [:]).keys)
        let partings = partings(of: ids, with: [user], haveCommonGroup: haveCommonGroup)
        return users(ids).map { partings.applied(to: $0, for: user) }.sorted(by: User.isListedBefore)
    }

    func partings(
        of subjects: Set<UserID>,
        with viewers: Set<UserID>,
        haveCommonGroup: (UserID, UserID) -> Bool
    ) -> Partings {
        var partings = Partings()
        for block in blocks.values.flatMap(\.values)
        where !haveCommonGroup(block.blocker.id, block.blocked.id) {
            partings.insert(block, subjects: subjects, viewers: viewers)
        }
        return partings
    }

    /// Whether one of two blocks the other.
    private func areApart(_ one: UserID, _ other: UserID) -> Bool {
        blocks[one]?[other] != nil || blocks[other]?[one] != nil
    }

    /// Whether it is the one-to-one chat of two users of whom one blocks the other.
    func isClosed(_ chat: Chat) -> Bool {
        guard chat.isOneToOne, chat.participants.count == 2 else { return false }
        return areApart(chat.participants[0].user, chat.participants[1].user)
    }

    /// Everyone who blocks a user, with the user that they block.
    var allBlocks: [(blocker: UserID, user: UserID)] {
        blocks.flatMap { blocker, users in users.keys.map { (blocker, $0) } }
    }

    mutating func setHue(_ user: UserID, _ hue: Int) throws(SharingError) {
        var account = try account(user)
        account.user.hue = hue
        accounts[user] = account
    }

    /// Gives a hue to those participants of a chat who have none.
    mutating func giveHues(in chat: Chat) {
        let people = chat.participants.filter(\.isPresent).map(\.user)
        var free = freeHues(around: people)
        for user in people where accounts[user] != nil && accounts[user]?.user.hue == nil {
            accounts[user]?.user.hue = free.take(for: user)
        }
    }

    private func freeHues(around people: some Sequence<UserID>) -> FreeHues {
        FreeHues(
            of: accounts.values.prefix(FreeHues.sample).map(\.user.hue),
            around: people.compactMap { accounts[$0]?.user.hue }
        )
    }
}

// Events.
extension MemoryAccounts {
    mutating func note(_ noted: [AccountEvent], of user: UserID) {
        guard accounts[user] != nil else { return }
        let older = events(of: user).filter { old in
            !noted.contains { $0.time == old.time && $0.change == old.change }
        }
        let byChange = Dictionary(grouping: older + noted, by: \.change).values
        events[user] = byChange.flatMap {
            $0.sorted(by: AccountEvent.isListedBefore).prefix(AccountEvent.limit)
        }
        .sorted(by: AccountEvent.isListedBefore)
    }

    func events(of user: UserID) -> [AccountEvent] { events[user] ?? [] }
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
        if new.isDisabled != old.isDisabled || new.isOperator != old.isOperator {
            accounts[user]?.version += 1
        }
        if new.isDisabled {
            _ = removeCredentials(of: user, kinds: [.session, .link, .device], except: nil)
            removeInvitations(of: user)
        }
        return try self.account(user)
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
        removeInvitations(of: user)
        networks[user] = nil
        events[user] = nil
        for other in contacts.removeValue(forKey: user) ?? [] { contacts[other]?.remove(user) }
        blocks[user] = nil
        for other in blocks.keys { blocks[other]?[user] = nil }
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
