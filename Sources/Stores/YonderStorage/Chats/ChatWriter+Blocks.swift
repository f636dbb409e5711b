import GRDB
import YonderModel
import YonderRules
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
        return try changed(user, by: blocker, isBlocked: true, in: database)
    }

    /// Has `blocker` no longer block a user.
    ///
    /// - Returns: Their one-to-one chat, or `nil` if they have none.
    func unblock(_ user: UserID, by blocker: UserID, in database: Database) throws -> ChatID? {
        try BlockRow.remove(user, by: blocker, from: database)
        return try changed(user, by: blocker, isBlocked: false, in: database)
    }

    /// Has the next message of a pair's chat read its blocks again, and others be told.
    private func changed(_ user: UserID, by blocker: UserID, isBlocked: Bool, in database: Database) throws
        -> ChatID?
    {
        guard let chat = try ChatRow.pair(user, blocker, in: database) else { return nil }
        touch(chat)
        try entry(chat, in: database).isClosed = nil
        let number = try ChatRow.raiseVersion(of: chat, in: database)
        let change = BlockChange(chat: chat, blocker: blocker, isBlocked: isBlocked, number: number)
        commit.blocks.append(change)
        return chat
    }
}
