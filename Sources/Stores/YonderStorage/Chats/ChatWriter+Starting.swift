import GRDB
import YonderGeodesy
import YonderModel
import YonderRules

extension ChatWriter {
    /// Starts a chat, or finds the one that the wish has started before, or the pair's.
    ///
    /// - Parameters:
    ///   - wish: The wanted chat.
    ///   - time: The server's time.
    ///   - nextID: Makes ids for new chats.
    ///   - database: The database, in a transaction.
    /// - Returns: The chat, and what the start has written.
    /// - Throws: ``SharingError``, or what the database throws.
    func start(
        _ wish: ChatStart,
        at time: Timestamp,
        nextID: () -> ChatID,
        in database: Database
    ) throws -> ChatStart.Outcome {
        if let (chat, fingerprint) = try ChatRow.started(wish, in: database) {
            guard fingerprint == wish.fingerprint else { throw SharingError.keyReused }
            let chat = try entry(chat, in: database).chat
            _ = try ChatRules.present(wish.creator, in: chat)
            return ChatStart.Outcome(chat: chat, existed: true)
        }
        try wish.check(contacts: AccountRow.contacts(of: wish.creator, among: wish.invitees, in: database))
        let outcome =
            try wish.isOneToOne
            ? startPair(wish, at: time, nextID: nextID, in: database)
            : startNew(wish, at: time, id: nextID(), in: database)
        try ChatRow.setStarted(wish, chat: outcome.chat.id, in: database)
        return outcome
    }

    private func startNew(_ wish: ChatStart, at time: Timestamp, id: ChatID, in database: Database) throws
        -> ChatStart.Outcome
    {
        let chat = try ChatRules.start(wish, id: id, at: time)
        try ChatRow.insert(chat, into: database)
        try AccountRow.giveHues(to: chat.participants.map(\.user), in: chat.id, database)
        commit.started.append(chat)
        return ChatStart.Outcome(chat: chat, existed: false)
    }

    private func startPair(_ wish: ChatStart, at time: Timestamp, nextID: () -> ChatID, in database: Database)
        throws -> ChatStart.Outcome
    {
        let (one, other) = (wish.creator, wish.invitees[0])
        guard let id = try ChatRow.pair(one, other, in: database) else {
            let outcome = try startNew(wish, at: time, id: nextID(), in: database)
            try ChatRow.setPair(one, other, chat: outcome.chat.id, in: database)
            return outcome
        }
        let entry = try entry(id, in: database)
        guard !entry.chat.isPresent(one) else { return ChatStart.Outcome(chat: entry.chat, existed: true) }
        let decision = ChatRules.rejoin(one, entry.chat, at: time, notBefore: entry.latest)
        let shares = try save(decision, in: entry, key: nil, fingerprint: 0, database)
        commit.messages.append(decision.acceptance(shares: shares))
        return ChatStart.Outcome(chat: decision.chat, existed: true)
    }
}
