import YonderSQLite
import YonderGeodesy
import YonderModel
import YonderRules
import YonderTables

// `SQLiteStore+Chats.swift` calls it in a transaction of the writer. A refusal rolls back. A wish with a known key finds
// the first chat; a pair has one chat, from whichever side it is started. Both rules must stay. The statements that both
// databases share are in `ChatStarting` (`StoreRule+Chats.swift`).
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
        nextID: @escaping @Sendable () -> ChatID,
        in database: Database
    ) throws -> ChatStart.Outcome {
        let starting = ChatStarting(wish, at: time, nextID: nextID)
        switch try starting.begin(SQLiteTransaction(database, self)) {
        case .made(let chat): return ChatStart.Outcome(chat: chat, existed: false)
        case .earlier(let chat):
            let chat = try entry(chat, in: database).chat
            _ = try ChatRules.present(wish.creator, in: chat)
            return ChatStart.Outcome(chat: chat, existed: true)
        case .pair(let chat):
            let entry = try entry(chat, in: database)
            guard !entry.chat.isPresent(wish.creator) else {
                return ChatStart.Outcome(chat: entry.chat, existed: true)
            }
            let decision = ChatRules.rejoin(wish.creator, entry.chat, at: time, notBefore: entry.latest)
            let shares = try save(decision, in: entry, key: nil, fingerprint: 0, database)
            commit.messages.append(decision.acceptance(shares: shares))
            return ChatStart.Outcome(chat: decision.chat, existed: true)
        }
    }
}
