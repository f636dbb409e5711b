import GRDB
import YonderGeodesy
import YonderModel

/// The table `recent`: see ``RecentMessages``.
///
/// What has moved to `message` may still stand here as well; it counts there.
enum RecentRow {
    static func insert(_ row: RecentMessages.Row, into database: Database) throws {
        let statement = try RawStatement(
            database,
            """
            INSERT INTO recent (chat, number, sender, tag, content, data, time, expires, key, fingerprint, id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        MessageRow.bind(row.message, key: row.key, fingerprint: row.fingerprint, to: statement)
        statement.bind(row.id, at: 11)
        try statement.run()
    }

    static func remove(below id: Int64, in database: Database) throws {
        let statement = try RawStatement(database, "DELETE FROM recent WHERE id < ?")
        statement.bind(id, at: 1)
        try statement.run()
    }

    /// Moves everything to `message`, but for what is there and what retention has removed.
    static func moveAll(in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO message (chat, number, sender, tag, content, data, time, expires, key, fingerprint)
                SELECT chat, number, sender, tag, content, data, time, expires, key, fingerprint FROM recent
                WHERE number >= (SELECT first FROM chat WHERE id = recent.chat) ORDER BY chat, number
                ON CONFLICT (chat, number) DO NOTHING;
                DELETE FROM recent;
                """
        )
    }
}
