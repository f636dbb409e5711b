import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

// Blocks.
extension ChatWriter {
    /// Whether a chat takes no messages; the answer is kept in the cache.
    func isClosed(_ entry: ChatCache.Entry, in database: Database) throws -> Bool {
        let people = entry.chat.participants
        guard entry.chat.isOneToOne, people.count == 2 else { return false }
        if let known = entry.isClosed { return known }
        let isClosed = try ContactTable.areApart(
            people[0].user,
            people[1].user,
            SQLiteTransaction(database)
        )
        entry.isClosed = isClosed
        return isClosed
    }
}
