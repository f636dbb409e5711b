package import YonderGeodesy
package import YonderModel

/// Removes people: their account and what signs them in at once, then their places in chats.
///
/// In each of their chats a `Leave` of theirs is the last message from them. Messages and objects stay. What is left to
/// do is kept by the store, so that it is done after a crash, too.
package struct Removal: Sendable {
    private let accounts: Accounts
    private let chats: any ChatStore
    private let submit: @Sendable (Submission) async throws(SharingError) -> Submission.Acceptance
    private let now: @Sendable () -> Timestamp

    package init(
        accounts: Accounts,
        chats: any ChatStore,
        now: @escaping @Sendable () -> Timestamp,
        submit: @escaping @Sendable (Submission) async throws(SharingError) -> Submission.Acceptance
    ) {
        self.accounts = accounts
        self.chats = chats
        self.now = now
        self.submit = submit
    }

    /// Removes a user; one whose removal was interrupted, too.
    ///
    /// - Throws: `unknownUser`, `lastOperator`, `unavailable`.
    package func remove(_ user: UserID, by actor: String) async throws(SharingError) {
        let credentials = try await accounts.store.credentials(of: user)
        try await accounts.store.remove(user)
        accounts.close(.credentials(Set(credentials.map(\.secret))))
        accounts.close(.user(user))
        accounts.log.changed("removed", of: user, by: actor)
        try await leave(user)
    }

    /// Goes on with the removals that were interrupted.
    ///
    /// - Throws: `unavailable`.
    package func finish() async throws(SharingError) {
        for user in try await accounts.store.leaving() { try await leave(user) }
    }

    private func leave(_ user: UserID) async throws(SharingError) {
        for chat in try await chats.chats(of: user) {
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
