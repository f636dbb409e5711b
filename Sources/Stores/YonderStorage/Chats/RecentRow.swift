import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// The table `recent`: see ``RecentMessages``.
///
/// A message that was moved to `message` may also remain here; the row in `message` counts.
///
/// `ChatWriter` appends to it in the commit of a message, reads all of it at the start, and deletes what it has moved;
/// `SQLiteStore` gives ``views`` to readers on a failing disk. A row that can't be read fails the opening.
///
/// The columns and their order are those of `MessageRow`; a column that one gets the other gets too, in a step of
/// `SQLiteStore+Migrations.swift`, and in ``views``. `StoreFailureTests` reads through the views, `RecentMessagesTests`
/// and `SQLiteStoreTests` hold what a kill leaves (decision 5).
///
/// Columns that a release had must stay.
enum RecentRow {
    /// The condition for a row of `recent` whose message is in no other table: neither moved nor removed by
    /// retention.
    static let isWaiting = """
        number >= (SELECT first FROM main.chat WHERE chat.id = recent.chat) AND NOT EXISTS (
            SELECT 1 FROM main.message WHERE message.chat = recent.chat AND message.number = recent.number
        )
        """

    /// The text of what ``insert(_:into:with:)`` runs.
    static let insertion = """
        INSERT INTO recent (
            chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late, id
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    static func insert(_ row: RecentMessages.Row, into database: Database, with insertion: KeptStatement)
        throws
    {
        let statement = try Statement(database, insertion)
        MessageRow.bind(row.message, key: row.key, fingerprint: row.fingerprint, to: statement)
        statement.bind(row.id, at: 14)
        try statement.run()
    }

    static func remove(below id: Int64, in database: Database) throws {
        let statement = try Statement(database, "DELETE FROM recent WHERE id < ?")
        statement.bind(id, at: 1)
        try statement.run()
    }

    /// Removes the rows whose message is in `message`, or was removed, among the next `limit` behind `id`.
    ///
    /// - Returns: The last of these rows; `nil` if there are no more.
    static func removeMoved(behind id: Int64, limit: Int, in database: Database) throws -> Int64? {
        let statement = try Statement(
            database,
            "SELECT id, \(isWaiting) FROM recent WHERE id > ?1 ORDER BY id LIMIT ?2"
        )
        statement.bind(id, at: 1)
        statement.bind(Int64(limit), at: 2)
        var (last, moved): (Int64?, [Int64]) = (nil, [])
        try statement.forEachRow { row in
            last = row.integer(0)
            if row.integer(1) == 0 { moved.append(row.integer(0)) }
        }
        for id in moved { try remove(id, in: database) }
        return last
    }

    private static func remove(_ id: Int64, in database: Database) throws {
        let statement = try Statement(database, "DELETE FROM recent WHERE id = ?")
        statement.bind(id, at: 1)
        try statement.run()
    }

    /// The messages that wait to be moved, in the order of arrival.
    static func waiting(in database: Database) throws -> RecentMessages {
        let (first, last) = try ids(in: database)
        var recent = RecentMessages(firstID: first, lastID: last)
        let statement = try Statement(
            database,
            """
            SELECT \(MessageRow.columns.replacing("recalled", with: "0")), fingerprint, id, chat, key FROM recent
            WHERE \(isWaiting) ORDER BY id
            """
        )
        try statement.forEachRow { row in
            let next = MessageRow.count
            guard let chat = ChatID(row.integer(next + 2)) else { throw MessageRow.unreadable }
            let message = try MessageRow.message(row, chat: chat)
            recent.append(
                RecentMessages.Row(
                    id: row.integer(next + 1),
                    message: message,
                    key: row.string(next + 3),
                    // Earlier versions kept the fingerprint of what had expired on arrival.
                    fingerprint: message.isEmpty ? 0 : row.integer(next)
                )
            )
        }
        return recent
    }

    private static func ids(in database: Database) throws -> (first: Int64, last: Int64) {
        let statement = try Statement(
            database,
            "SELECT ifnull(min(id), 1), ifnull(max(id), 0) FROM recent"
        )
        return try statement.first { ($0.integer(0), $0.integer(1)) } ?? (1, 0)
    }

    private static let viewColumns =
        "chat, number, sender, tag, content, data, time, expires, recalled, key, fingerprint, written, share, late"

    /// Statements for a reader of a database that can't be written, where messages can't be moved: it then sees
    /// every stored message in `message`, even those that are only in `recent`, whose rows it copies into memory.
    static let views = """
        CREATE TEMP TABLE waiting (
            chat INTEGER NOT NULL, number INTEGER NOT NULL, sender INTEGER NOT NULL, tag TEXT NOT NULL,
            content BLOB NOT NULL, data BLOB, time INTEGER NOT NULL, expires INTEGER,
            recalled INTEGER NOT NULL DEFAULT 0, key BLOB, fingerprint INTEGER NOT NULL, written INTEGER,
            share INTEGER, late INTEGER,
            PRIMARY KEY (chat, number)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX temp.waitingBySender ON waiting (chat, sender, tag, number);
        INSERT INTO waiting (
            chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late
        )
        SELECT chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late
        FROM main.recent
        WHERE \(isWaiting);
        CREATE TEMP VIEW message AS SELECT \(viewColumns) FROM main.message UNION ALL SELECT \(viewColumns) FROM waiting;
        """
}
