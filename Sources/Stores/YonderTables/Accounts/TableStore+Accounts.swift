package import YonderGeodesy
package import YonderModel
package import YonderRules

// Accounts, contacts and blocks: the functions of the port `AccountStore` for both databases. Each has one transaction or
// one query, and belongs here only as the choice of that: what a change does is in the tables. `TableWork` says what may
// happen to a commit without an answer: `repeatable` for a change that finds itself done, `erasing` where content must leave
// the files, else `once`. Lists are sorted here, by the orders of `StoreRules.swift`, because databases sort texts
// differently.
// The kind of work of each function must stay: it decides what a lost answer may cost. The suite in `TestSupport/Stores`
// runs all of them on both databases.
extension TableStore {
    /// See ``AccountStore/createAccount(_:contact:under:)``.
    package func createAccount(_ account: Account, contact: UserID?, under warrant: Warrant)
        async throws(SharingError)
    {
        let others = [contact].compactMap(\.self)
        try await transact(.once, under: warrant, with: others) { transaction in
            try AccountTable.insert(account, transaction)
            if let contact { try ContactTable.connect(contact, account.user.id, transaction) }
        }
    }

    /// See ``AccountStore/account(_:)``.
    package func account(_ user: UserID) async throws(SharingError) -> Account {
        guard let account = try await first(AccountTable.account(user)) else { throw .unknownUser }
        return account
    }

    /// See ``AccountStore/account(login:)``.
    package func account(login: String) async throws(SharingError) -> Account? {
        // PostgreSQL's text has no zero bytes, and no login has one.
        guard !login.utf8.contains(0) else { return nil }
        return try await first(AccountTable.account(login: login))
    }

    /// See ``AccountStore/accounts(after:limit:)``.
    package func accounts(after place: AccountPlace?, limit: Int) async throws(SharingError) -> [Account] {
        try await rows(AccountTable.accounts(after: place, limit: limit))
    }

    /// See ``AccountStore/update(_:noting:under:_:)``.
    package func update(
        _ user: UserID,
        noting events: [AccountEvent],
        under warrant: Warrant,
        _ change: @escaping @Sendable (inout Profile) -> Void
    ) async throws(SharingError) -> User {
        try await transact(.erasing, under: warrant, with: [user]) { transaction in
            let stored = try AccountTable.locked(user, transaction).user
            let updated = try AccountTable.update(user, profile: stored.profile(change), transaction)
            if updated.email != stored.email {
                try AccountEventTable.insert(events, of: user, transaction)
            }
            return updated
        }
    }

    /// See ``AccountStore/setHue(_:_:under:)``.
    package func setHue(_ user: UserID, _ hue: Int, under warrant: Warrant) async throws(SharingError) {
        try await transact(.repeatable, under: warrant, with: [user]) {
            try AccountTable.set(AccountTable.hue, of: user, to: .int(Int64(hue)), $0)
        }
    }

    /// See ``AccountStore/setShowsReads(_:_:under:)``.
    package func setShowsReads(_ user: UserID, _ showsReads: Bool, under warrant: Warrant)
        async throws(SharingError)
    {
        try await transact(.repeatable, under: warrant, with: [user]) {
            try AccountTable.set(AccountTable.showsReads, of: user, to: .bool(showsReads), $0)
        }
    }

    /// See ``AccountStore/users(_:)``.
    package func users(_ ids: Set<UserID>) async throws(SharingError) -> [User] {
        try await rows(AccountTable.users(ids))
    }

    /// See ``AccountStore/contacts(of:)``.
    package func contacts(of user: UserID) async throws(SharingError) -> [User] {
        try await rows(AccountTable.contacts(of: user)).sorted(by: User.isListedBefore)
    }

    /// See ``AccountStore/connect(_:_:under:)``.
    package func connect(_ one: UserID, _ other: UserID, under warrant: Warrant) async throws(SharingError) {
        try await transact(.repeatable, under: warrant, with: [one, other]) {
            try ContactTable.connect(one, other, $0)
        }
    }

    /// See ``AccountStore/disconnect(_:_:under:)``.
    package func disconnect(_ one: UserID, _ other: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        try await transact(.repeatable, under: warrant, with: [one, other]) {
            try ContactTable.disconnect(one, other, $0)
        }
    }

    /// See ``AccountStore/block(_:by:under:)``.
    @discardableResult
    package func block(_ user: UserID, by blocker: UserID, under warrant: Warrant)
        async throws(SharingError) -> ChatID?
    {
        try await transact(.once, under: warrant, with: [user, blocker]) {
            try BlockTable.block(user, by: blocker, $0)
        }
    }

    /// See ``AccountStore/unblock(_:by:under:)``.
    @discardableResult
    package func unblock(_ user: UserID, by blocker: UserID, under warrant: Warrant)
        async throws(SharingError) -> ChatID?
    {
        try await transact(.once, under: warrant, with: [user, blocker]) {
            try BlockTable.unblock(user, by: blocker, $0)
        }
    }

    /// See ``AccountStore/blocked(by:)``.
    package func blocked(by user: UserID) async throws(SharingError) -> [User] {
        let users = try await rows(AccountTable.blocked(by: user))
        let partings = try await partings(of: Set(users.map(\.id)), with: [user])
        return users.map { partings.applied(to: $0, for: user) }.sorted(by: User.isListedBefore)
    }

    /// See ``AccountStore/partings(of:with:)``.
    package func partings(of subjects: Set<UserID>, with viewers: Set<UserID>) async throws(SharingError)
        -> Partings
    {
        guard !subjects.isEmpty, !viewers.isEmpty else { return Partings() }
        let (few, many) = subjects.count < viewers.count ? (subjects, viewers) : (viewers, subjects)
        var partings = Partings()
        for block in try await rows(BlockTable.blocks(between: few, and: many)) {
            partings.insert(block, subjects: subjects, viewers: viewers)
        }
        return partings
    }

    /// See ``AccountStore/closedChats()``.
    package func closedChats() async throws(SharingError) -> [ChatID: Set<UserID>] {
        var closed: [ChatID: Set<UserID>] = [:]
        for (chat, blocker) in try await rows(BlockTable.closedChats) {
            closed[chat, default: []].insert(blocker)
        }
        return closed
    }

    /// See ``AccountStore/createInvitation(_:under:)``.
    package func createInvitation(_ invitation: Invitation, under warrant: Warrant)
        async throws(SharingError)
    {
        try await transact(.once, under: warrant, with: [invitation.sender]) {
            try InvitationTable.insert(invitation, $0)
        }
    }

    /// See ``AccountStore/invitation(_:at:)``.
    package func invitation(_ secret: SecretHash, at now: Timestamp) async throws(SharingError) -> Invitation
    {
        guard let invitation = try await first(InvitationTable.invitation(secret, at: now)) else {
            throw .invitationUsed
        }
        return invitation
    }

    /// See ``AccountStore/accept(_:by:at:under:)``.
    package func accept(
        _ secret: SecretHash,
        by user: UserID,
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> User {
        try await transact(.once) { transaction in
            // The sender's account is locked in one go with the caller's.
            let sender = try transaction.first(InvitationTable.invitation(secret, at: now))?.sender
            try WarrantTable.judge(warrant, with: [user] + [sender].compactMap(\.self), transaction)
            return try InvitationTable.accept(secret, by: user, at: now, transaction)
        }
    }
}

// Changes by operators.
extension TableStore {
    /// See ``AccountStore/change(_:_:noting:at:under:)``.
    package func change(
        _ user: UserID,
        _ change: AccountChange,
        noting events: [AccountEvent],
        at now: Timestamp,
        under warrant: Warrant
    ) async throws(SharingError) -> Account {
        try await transact(.erasing) { transaction in
            let account = try AccountTable.change(user, change, at: now, under: warrant, transaction)
            try AccountEventTable.insert(events, of: user, transaction)
            return account
        }
    }

    /// See ``AccountStore/remove(_:at:under:)``.
    package func remove(_ user: UserID, at now: Timestamp, under warrant: Warrant) async throws(SharingError)
    {
        try await transact(.erasing) { try AccountTable.remove(user, at: now, under: warrant, $0) }
    }

    /// See ``AccountStore/leaving()``.
    package func leaving() async throws(SharingError) -> [UserID] { try await rows(AccountTable.leaving) }

    /// See ``AccountStore/left(_:)``.
    package func left(_ user: UserID) async throws(SharingError) {
        try await transact(.repeatable) { _ = try $0.execute(AccountTable.left, [.int(user.rawValue)]) }
    }
}
