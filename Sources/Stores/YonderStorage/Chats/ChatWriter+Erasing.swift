import YonderSQLite
import YonderGeodesy
import YonderModel
import YonderRules
import YonderTables

// What a chat or a share keeps for a while.
// `SQLiteStore+Chats.swift` and `SQLiteStore+Shares.swift` call it in a transaction of the writer, for the hub's upkeep,
// until it returns 0. An error rolls back. Where it stopped is stored with the chat or the share, so that a kill repeats
// nothing and skips nothing. Which positions are due is decided in `YonderRules` (decision 18, `StoreRule+Emptying.swift`).
extension ChatWriter {
    /// Empties up to `limit` positions that were kept for their chat's period.
    ///
    /// - Returns: How many were emptied.
    func erasePositions(at now: Timestamp, limit: Int, in database: Database) throws -> Int {
        let youngest = PositionKeeping.allCases.compactMap(\.period).min() ?? .zero
        for chat in recent.chats(waitingSince: now - youngest) { try settle(chat, in: database) }
        var count = 0
        for erasure in try ChatRow.erasing(in: database) where count < limit {
            let due = try erasure.due(at: now, limit: limit - count, in: database)
            guard !due.isEmpty else { continue }
            try erasure.erase(due, in: database)
            touched.insert(erasure.chat)
            try entry(erasure.chat, in: database).newest = [:]
            count += due.count
        }
        return count
    }

    /// Empties positions of an expiring share that is over, among the next `limit` of its person's.
    ///
    /// - Returns: How many were emptied, at least 1; 0 if there is no such share.
    func eraseShares(limit: Int, in database: Database) throws -> Int {
        guard var share = try SQLiteTransaction(database).first(ShareTable.nextToErase) else { return 0 }
        let entry = try entry(share.chat, in: database)
        try settle(share.chat, in: database)
        touched.insert(share.chat)
        let step = try MessageRow.erase(share, limit: limit, in: database)
        share.after = step.through
        share.isErased = !step.hasMore
        if step.hasMore {
            // Nothing but this erasing reads `after`.
            try ShareTable.save([share], SQLiteTransaction(database))
        } else {
            try save([share], in: entry, at: share.started, database)
            commit.shares.append(share)
        }
        return max(1, step.count)
    }
}
