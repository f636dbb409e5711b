package import YonderGeodesy
package import YonderModel
package import YonderWire

extension ChatStore {
    /// Chats as one of their participants sees them.
    ///
    /// - Parameters:
    ///   - chats: Which ones, as they are.
    ///   - accounts: Has the people's names.
    ///   - user: The participant; a chat that they aren't in has no view.
    ///   - now: The server's time.
    /// - Returns: The chats, in their order.
    /// - Throws: `unavailable`.
    package func named(
        _ chats: [Chat],
        with accounts: any AccountStore,
        for user: UserID,
        now: Timestamp
    ) async throws(SharingError) -> [NamedChat] {
        let names = try await accounts.names(in: chats)
        let readings = try await readings(of: chats, for: user, now: now)
        return chats.map { chat in
            let participant = chat.participant(user)
            let view = participant.flatMap { readings[chat.id]?.view(of: chat, for: $0) }
            return NamedChat(chat, users: names, view: view)
        }
    }
}

extension AccountStore {
    /// The people of some chats, by id.
    ///
    /// A removed user has no account; their messages stand under ``User/removedName``.
    package func names(in chats: [Chat]) async throws(SharingError) -> [UserID: User] {
        var ids: Set<UserID> = []
        for chat in chats { ids.formUnion(chat.participants.lazy.map(\.user)) }
        var names: [UserID: User] = [:]
        for id in ids { names[id] = User(id: id, name: User.removedName) }
        for user in try await users(ids) { names[user.id] = user }
        return names
    }
}
