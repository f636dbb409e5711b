package import YonderGeodesy
package import YonderModel
package import YonderRules
package import YonderWire

// The names with which chats are shown. Lists of the hub and the endpoints of chats call it, after the chats were read;
// an error is the store's. Names may change between the two reads: a change comes by its own frame. That a user across a
// block is shown as they were must stay, also in lists (`Partings`, decision 37, `ChatListsTests`).

extension ChatStore {
    /// Chats as one of their participants sees them.
    ///
    /// - Parameters:
    ///   - chats: Which ones, as they are.
    ///   - accounts: Has the people's names.
    ///   - user: The participant; a chat that they aren't in has no view.
    ///   - isClosed: Whether a participant of a chat blocks the other one: then neither is shown how far the other has read.
    ///   - now: The server's time.
    /// - Returns: The chats, in their order.
    /// - Throws: `unavailable`.
    package func named(
        _ chats: [Chat],
        with accounts: any AccountStore,
        for user: UserID,
        isClosed: (ChatID) -> Bool,
        now: Timestamp
    ) async throws(SharingError) -> [NamedChat] {
        let names = try await accounts.names(in: chats, seenBy: user)
        let readings = try await readings(of: chats, for: user, now: now)
        return chats.map { chat in
            let participant = chat.participant(user)
            let isClosed = isClosed(chat.id)
            let view = participant.flatMap { readings[chat.id]?.view(of: chat, for: $0, isClosed: isClosed) }
            return NamedChat(chat, users: names, view: view)
        }
    }
}

extension AccountStore {
    /// The people of some chats as a user is shown them, by id.
    ///
    /// A removed user has no account; their messages stand under ``User/removedName``.
    package func names(in chats: [Chat], seenBy viewer: UserID) async throws(SharingError) -> [UserID: User] {
        let names = try await liveNames(in: chats)
        return try await partings(of: Set(names.keys), with: [viewer]).applied(to: names, for: viewer)
    }

    /// The people of a chat, and those whom its present participants are shown as they were at a block.
    func names(in chat: Chat) async throws(SharingError) -> (live: [UserID: User], partings: Partings) {
        let names = try await liveNames(in: [chat])
        let present = Set(chat.participants.lazy.filter(\.isPresent).map(\.user))
        // Present participants of a group see each other's live profile: only former participants can be parted from them.
        let subjects = chat.isOneToOne ? Set(names.keys) : Set(names.keys).subtracting(present)
        return (names, try await partings(of: subjects, with: present))
    }

    private func liveNames(in chats: [Chat]) async throws(SharingError) -> [UserID: User] {
        var ids: Set<UserID> = []
        for chat in chats { ids.formUnion(chat.participants.lazy.map(\.user)) }
        var names: [UserID: User] = [:]
        for id in ids { names[id] = User(id: id, name: User.removedName) }
        for user in try await users(ids) { names[user.id] = user }
        return names
    }
}
