import YonderBus
import YonderGeodesy
package import YonderModel
package import YonderRules

// Blocks and contacts across all loops and nodes. `PeopleEndpoints` blocks and unblocks; whatever makes or ends a
// contact calls ``Exchange/contactsChanged(_:_:)``, and other nodes' frames come to `contactChangedHere`. The store
// decides; here its result is passed on. That a block ends the shares of the two in their one-to-one chat must stay, at
// the latest by the next tick (decision 37, `ContactTests`, `NodesTests`).

extension Exchange {
    /// Blocks a user, and ends the shares in the one-to-one chat of the two.
    ///
    /// Only the blocker's sessions are notified that the contact is gone.
    ///
    /// - Throws: The codes of the store's `block`. If it is `unavailable`, the shares may still run; ``run()`` ends them.
    package func block(_ user: UserID, by blocker: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        let chat = try await accounts.block(user, by: blocker, under: warrant)
        contactChanged(user, of: blocker)
        if let chat { try await endShares(in: [chat]) }
    }

    /// Whether it is a one-to-one chat in which a participant blocks the other one.
    package func isClosed(_ chat: ChatID) -> Bool { closed.contains(chat) }

    /// Unblocks a user.
    ///
    /// - Throws: `unavailable`.
    package func unblock(_ user: UserID, by blocker: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        try await accounts.unblock(user, by: blocker, under: warrant)
    }

    /// Notifies the sessions of two users that they are contacts now, or no longer.
    package func contactsChanged(_ one: UserID, _ other: UserID) {
        contactChanged(one, of: other)
        contactChanged(other, of: one)
    }

    /// Notifies a user's sessions that another user is a contact now, is named differently, or is none.
    package func contactChanged(_ contact: UserID, of user: UserID) {
        contactChangedHere(contact, of: user)
        link.publish(.contactChanged(contact, of: user))
    }

    /// Notifies a user's sessions on this node that another user is a contact now, is named differently, or is none.
    func contactChangedHere(_ contact: UserID, of user: UserID) {
        onEachLoop { $0.contacts.changed(contact, of: user) }
    }

    /// Has the lists of this node show that chats were closed, or opened, by a block or its end.
    ///
    /// A participant of a closed chat is sent no frame about it but that the other one is offline.
    func closedChanged(_ chats: [ChatID]) {
        guard !chats.isEmpty else { return }
        let opened = chats.filter { !closed.contains($0) }
        onEachLoop { loop in
            loop.presence.closedChanged(chats)
            for chat in opened { loop.chats.refresh(chat, gone: []) }
        }
    }

    private func endShares(in chats: [ChatID]) async throws(SharingError) {
        let now = now()
        let running = shares { $0.running(in: chats) }
        let results = await end(running.map { ShareRoll.Due(share: $0, ending: .stopped) }, at: now)
        for case .failure(let error) in results where error.code != .shareEnded { throw error }
    }
}
