package import YonderGeodesy
package import YonderModel

/// Removes users: first the account and its credentials, at once, then the user's participation in chats.
///
/// In each chat, a `Leave` is the last message from the removed user. Messages and objects stay. The store
/// records the remaining work, so that it is finished even after a crash.
package struct Removal: Sendable {
    private let accounts: Accounts
    private let chats: any ChatStore
    private let submit: @Sendable (Submission) async throws(SharingError) -> Submission.Acceptance
    private let now: @Sendable () -> Timestamp
    private let contactsChanged: @Sendable (UserID, UserID) -> Void

    package init(
        accounts: Accounts,
        chats: any ChatStore,
        now: @escaping @Sendable () -> Timestamp,
        contactsChanged: @escaping @Sendable (UserID, UserID) -> Void = { _, _ in },
        submit: @escaping @Sendable (Submission) async throws(SharingError) -> Submission.Acceptance
    ) {
        self.accounts = accounts
        self.chats = chats
        self.now = now
        self.contactsChanged = contactsChanged
        self.submit = submit
    }

    /// Removes a user, or resumes an interrupted removal.
    ///
    /// - Throws: `unknownUser`, `lastOperator`, `unavailable`.
    package func remove(_ user: UserID, by actor: String) async throws(SharingError) {
        let contacts = try await accounts.store.contacts(of: user)
        try await accounts.store.remove(user)
        for contact in contacts { contactsChanged(contact.id, user) }
        accounts.log.changed("removed", of: user, by: actor)
        try await leave(user)
    }

    /// Resumes all interrupted removals.
    ///
    /// - Throws: `unavailable`.
    package func finish() async throws(SharingError) {
        for user in try await accounts.store.leaving() { try await leave(user) }
    }

    private func leave(_ user: UserID) async throws(SharingError) {
        for chat in try await chats.chats(of: user, after: nil, limit: .max) {
            let submission = Submission(
                chat: chat.id,
                sender: user,
                key: "removed-\(Secret.random().text)",
                action: .leave,
                time: now()
            )
            do throws(SharingError) {
                _ = try await submit(submission)
            } catch  where error.code == .notParticipant {
                // The user left by themselves a moment ago.
            }
        }
        try await accounts.store.left(user)
    }
}
