import GRDB
import YonderModel
import YonderSQLite

// Blocks, and the chats that they close.
extension ChatWriter {
    /// Whether a chat takes no messages; the answer is kept in the cache.
    func isClosed(_ entry: ChatCache.Entry, in database: Database) throws -> Bool {
        let people = entry.chat.participants
        guard entry.chat.isOneToOne, people.count == 2 else { return false }
        if let known = entry.isClosed { return known }
        let isClosed = try BlockRow.areApart(people[0].user, people[1].user, in: database)
        entry.isClosed = isClosed
        return isClosed
    }

    /// Has `blocker` block a user.
    ///
    /// - Returns: Their one-to-one chat, or `nil` if they have none.
    func block(_ user: UserID, by blocker: UserID, in database: Database) throws -> ChatID? {
        try BlockRow.insert(user, by: blocker, into: database)
        return try reread(user, blocker, in: database)
    }

    /// Has `blocker` no longer block a user.
    ///
    /// - Returns: Their one-to-one chat, or `nil` if they have none.
    func unblock(_ user: UserID, by blocker: UserID, in database: Database) throws -> ChatID? {
        try BlockRow.remove(user, by: blocker, from: database)
        return try reread(user, blocker, in: database)
    }

    /// Has the next message of a pair's chat read its blocks again.
    private func reread(_ one: UserID, _ other: UserID, in database: Database) throws -> ChatID? {
        guard let chat = try ChatRow.pair(one, other, in: database) else { return nil }
        touch(chat)
        try entry(chat, in: database).isClosed = nil
        return chat
    }
}
