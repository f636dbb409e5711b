import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

/// The end of the shares that ran when a backup was made, in the folder that is made of it.
///
/// Their people may have stopped them since, and the sign-ins that fed them aren't restored. A restoration leaves a mark, as its
/// copy may be of an earlier version; the first opening, which has the newest tables, ends the shares and removes the mark
/// in one commit.
enum RestoredShares {
    /// Leaves the mark.
    static func mark(_ database: Database, at now: Timestamp) throws {
        try database.execute(sql: "CREATE TABLE IF NOT EXISTS restored (time INTEGER NOT NULL) STRICT")
        try database.execute(sql: "INSERT INTO restored (time) VALUES (?)", arguments: [now.milliseconds])
    }

    /// Ends the shares and removes the mark; does nothing without it.
    static func end(_ writer: ChatWriter, in database: Database) throws {
        let mark = try Int.fetchOne(database, sql: "SELECT 1 FROM sqlite_schema WHERE name = 'restored'")
        guard mark != nil else { return }
        let time = try Int64.fetchOne(database, sql: "SELECT max(time) FROM restored") ?? 0
        let running = try SQLiteTransaction(database).rows(ShareTable.all).filter { $0.end == nil }
        for (user, shares) in Dictionary(grouping: running, by: \.user).sorted(by: { $0.key < $1.key }) {
            let end = SignInEnd(
                of: user,
                chats: shares.map(\.chat),
                good: nil,
                at: Timestamp(milliseconds: time)
            )
            try writer.endShares(end, in: database)
        }
        try database.execute(sql: "DROP TABLE restored")
    }
}
