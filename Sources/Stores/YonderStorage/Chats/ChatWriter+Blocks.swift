import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

// Blocks.
// `ChatWriter` asks before it accepts a message for a one-to-one chat; an error fails the transaction.
// `SQLiteTransaction.blocksChanged` drops the kept answer, which must stay, or a blocked person could go on writing
// (decision 37).
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
