import YonderGeodesy
public import YonderModel
public import YonderSQLite

/// A client's outbox in a SQLite database of its own, with the stops of shares that the server doesn't have yet.
///
/// An app opens one and gives it to its `SharingClient`, which alone calls it; the command `yonder share` does so, too. A
/// second process that opens the folder gets a `StorageError`. If the disk fails, a call throws `unavailable`, and nothing of
/// it is stored.
///
/// The tables are on people's phones: a migration that a release had is never changed, a further one is added behind
/// (`SQLiteOutboxStoreTests` with `Tests/Fixtures/outbox`). It must behave as `MemoryOutboxStore` does (`OutboxRule`). Stops
/// are in `SQLiteOutboxStore+Stops.swift`.
public final class SQLiteOutboxStore: OutboxStore {
    let file: SQLiteFile
    private let limit: Int

    /// Opens the outbox in a folder, creating both if necessary; the folder stays locked until ``close()``.
    ///
    /// - Throws: ``StorageError``.
    public static func open(
        folder: String,
        limit: Int = OutboxEntry.defaultLimit
    ) throws(StorageError) -> SQLiteOutboxStore {
        try SQLiteOutboxStore(folder: folder, limit: limit)
    }

    private init(folder: String, limit: Int) throws(StorageError) {
        file = try SQLiteFile(folder: folder, name: "outbox.db", migrations: Self.migrations)
        self.limit = limit
    }

    /// Closes the outbox and unlocks the folder.
    ///
    /// - Throws: ``StorageError`` with code `inaccessible` if the disk fails; stored entries are safe all the
    ///   same.
    public func close() throws(StorageError) {
        do {
            try file.close()
        } catch {
            throw StorageError(.inaccessible, "The outbox can't be closed: \(error).")
        }
    }

    static let migrations = [
        // AUTOINCREMENT: a removed id is never reused.
        Migration(
            sql: """
                CREATE TABLE entry (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, chat INTEGER NOT NULL, key BLOB NOT NULL,
                    tag TEXT NOT NULL, content BLOB NOT NULL, data BLOB, expires INTEGER, UNIQUE (chat, key)
                ) STRICT;
                """
        ),
        Migration(
            sql: """
                CREATE TABLE stop (
                    id BLOB PRIMARY KEY, user INTEGER, chat INTEGER, share INTEGER, time INTEGER NOT NULL, before INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE person (id INTEGER PRIMARY KEY CHECK (id = 1), user INTEGER NOT NULL) STRICT;
                """
        ),
    ]

    /// See ``OutboxStore/append(_:to:key:)``.
    public func append(
        _ draft: MessageDraft,
        to chat: ChatID,
        key: String
    ) async throws(SharingError) -> OutboxEntry {
        try IdempotencyKey.check(key)
        return try await file.write { [limit] database in
            if let waiting = try Self.entry(key: key, in: chat, database) {
                guard waiting.draft.hasSameBytes(as: draft) else { throw SharingError.keyReused }
                return waiting
            }
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0
            guard count < limit else { throw SharingError.outboxFull }
            try Self.insert(draft, chat, key, database)
            return OutboxEntry(id: database.lastInsertedRowID, chat: chat, key: key, draft: draft)
        }
    }

    /// See ``OutboxStore/remove(key:from:)``.
    public func remove(key: String, from chat: ChatID) async throws(SharingError) {
        try await file.write { database in
            let statement = try Statement(database, "DELETE FROM entry WHERE chat = ? AND key = ?")
            statement.bind(chat.rawValue, at: 1)
            statement.bind(utf8: key, at: 2)
            try statement.run()
        }
    }

    /// See ``OutboxStore/entries()``.
    public func entries() async throws(SharingError) -> [OutboxEntry] {
        try await file.read { database in
            let statement = try Statement(database, "SELECT \(Self.columns) FROM entry ORDER BY id")
            var entries: [OutboxEntry] = []
            try statement.forEachRow { entries.append(try Self.entry($0)) }
            return entries
        }
    }

    private static let columns = "id, chat, key, tag, content, data, expires"

    private static func entry(key: String, in chat: ChatID, _ database: Database) throws -> OutboxEntry? {
        let statement = try Statement(
            database,
            "SELECT \(columns) FROM entry WHERE chat = ? AND key = ?"
        )
        statement.bind(chat.rawValue, at: 1)
        statement.bind(utf8: key, at: 2)
        return try statement.first(entry)
    }

    private static func insert(_ draft: MessageDraft, _ chat: ChatID, _ key: String, _ database: Database)
        throws
    {
        let statement = try Statement(
            database,
            "INSERT INTO entry (chat, key, tag, content, data, expires) VALUES (?, ?, ?, ?, ?, ?)"
        )
        statement.bind(chat.rawValue, at: 1)
        statement.bind(utf8: key, at: 2)
        statement.bind(text: draft.tag.rawValue, at: 3)
        statement.bind(utf8: draft.content, at: 4)
        statement.bind(bytes: draft.data?.bytes, at: 5)
        statement.bind(draft.expires?.milliseconds, at: 6)
        try statement.run()
    }

    private static func entry(_ row: Row) throws -> OutboxEntry {
        guard let chat = ChatID(row.integer(1)), let tag = MessageTag(row.string(3)) else {
            throw DatabaseError(
                resultCode: .corrupt,
                message: "An outbox entry with an invalid chat or tag."
            )
        }
        let draft = MessageDraft(
            tag: tag,
            content: row.string(4),
            data: row.isNull(5) ? nil : MessageData(checked: row.bytes(5)),
            expires: row.optionalInteger(6).map(Timestamp.init(milliseconds:))
        )
        return OutboxEntry(id: row.integer(0), chat: chat, key: row.string(2), draft: draft)
    }
}
