package import YonderGeodesy
package import YonderModel
package import YonderRules

/// Removes users: first the account and its credentials, at once, then the user's participation in chats.
///
/// In each chat, a `Leave` is the last message from the removed user. Messages and objects stay. The store
/// records the remaining work, so that it is finished even after a crash.
///
/// A user leaves the chats in bounded steps: see ``Leaving``.
///
/// `UserEndpoints` calls ``remove(_:by:under:)``, `AccountsService` ``finish()`` each minute. After `unavailable` the next
/// call continues the removal. Once it has ended, a removal of the same user is refused with `unknownUser`. The order
/// must stay: the credentials go first, so that the user's clients can't write to a chat that the user was just taken
/// out of (`RemovalTests`).
package struct Removal: Sendable {
    private let accounts: Accounts
    private let chats: any ChatStore
    private let leaving: Leaving
    private let waits: Int
    private let contactsChanged: @Sendable (UserID, UserID) -> Void

    /// Creates the removal of users from stores.
    ///
    /// - Parameters:
    ///   - accounts: The accounts.
    ///   - chats: The chats, in the same store.
    ///   - waits: How many chats a removed user leaves before ``remove(_:by:under:)`` returns; ``finish()`` has the user leave the others.
    ///   - now: The server's time.
    ///   - contactsChanged: Called with each contact of a removed user, and the user.
    package init(
        accounts: Accounts,
        chats: any ChatStore,
        waitingFor waits: Int = .max,
        now: @escaping @Sendable () -> Timestamp,
        contactsChanged: @escaping @Sendable (UserID, UserID) -> Void = { _, _ in }
    ) {
        self.accounts = accounts
        self.chats = chats
        leaving = Leaving(chats: chats, now: now)
        self.contactsChanged = contactsChanged
        self.waits = waits
    }

    /// Removes a user, or resumes an interrupted removal.
    ///
    /// - Throws: `unknownUser`, `lastOperator`, `unavailable`.
    package func remove(_ user: UserID, by actor: String, under warrant: Warrant) async throws(SharingError) {
        let contacts = try await accounts.store.contacts(of: user)
        try await accounts.store.remove(user, at: accounts.serverTime(), under: warrant)
        for contact in contacts { contactsChanged(contact.id, user) }
        accounts.log.changed("removed", of: user, by: actor)
        try await leave(user, atMost: waits)
    }

    /// Resumes all interrupted removals.
    ///
    /// - Throws: `unavailable`.
    package func finish() async throws(SharingError) {
        for user in try await accounts.store.leaving() { try await leave(user, atMost: .max) }
    }

    private func leave(_ user: UserID, atMost limit: Int) async throws(SharingError) {
        let all = try await chats.lastNumbers(of: user).keys.sorted()
        try await leaving.leave(Array(all.prefix(limit)), of: user, cause: .removal, under: .server)
        if all.count <= limit { try await accounts.store.left(user) }
    }
}
