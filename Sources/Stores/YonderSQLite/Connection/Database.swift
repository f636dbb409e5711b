import CSQLite

/// One connection to a SQLite database, with the statements that it has prepared.
///
/// A ``DatabaseQueue`` owns it and uses it on one queue at a time; a caller uses it only inside the closure that it is
/// passed to.
///
/// Every error is a ``DatabaseError`` with SQLite's code. A statement that is in use twice at once is the caller's
/// mistake. Statements are kept by their text until the connection closes, so a text must not hold values: bind them.
/// That SQLite locks nothing itself (`SQLITE_OPEN_NOMUTEX`) must stay together with the one queue (decision 42,
/// `DatabaseTests`).
package final class Database {
    /// The connection, for functions of SQLite's that this class doesn't have.
    package private(set) var handle: OpaquePointer

    /// How the connection was opened.
    package let settings: DatabaseSettings

    private var statements: [String: PreparedStatement] = [:]
    private var isOpen = true

    /// Opens a file, or a database in memory at `:memory:`; a path may be a URI of SQLite's.
    ///
    /// - Throws: ``DatabaseError``, also if the file is no database.
    init(path: String, settings: DatabaseSettings) throws {
        let access = settings.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var opened: OpaquePointer?
        // One queue at a time uses it, so SQLite needs no lock of its own.
        let flags = access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(code, of: opened)
            sqlite3_close(opened)
            throw error
        }
        (handle, self.settings) = (opened, settings)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, settings.patience)
        for step in settings.steps { try step(self) }
        try execute(sql: "SELECT 1 FROM sqlite_schema LIMIT 1")
    }

    deinit {
        statements = [:]
        if isOpen { sqlite3_close_v2(handle) }
    }

    /// Closes the connection, which isn't used afterward.
    ///
    /// - Throws: ``DatabaseError`` with code `busy` while a statement is in use: the connection stays open.
    func close() throws {
        statements = [:]
        try check(sqlite3_close(handle))
        isOpen = false
    }

    /// How many rows the last statement has changed.
    package var changesCount: Int { Int(sqlite3_changes(handle)) }

    /// The number of the row that was added last.
    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction has begun and hasn't ended.
    package var isInsideTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs statements that are separated by semicolons, or one statement with its parameters; rows are dropped.
    ///
    /// - Throws: ``DatabaseError``.
    package func execute(sql: String, arguments: [(any DatabaseValue)?] = []) throws {
        guard arguments.isEmpty else {
            try Statement(self, sql, arguments).forEachRow { _ in }
            return
        }
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Runs `body` in a transaction, which is rolled back if `body` or the commit throws.
    package func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
        try run(kind.rawValue)
        do {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // Some failures have rolled it back already.
            if isInsideTransaction { try? rollback() }
            throw error
        }
    }

    /// Ends the transaction without its changes.
    package func rollback() throws { try run("ROLLBACK") }

    /// Carries frames of the write-ahead log into the database.
    ///
    /// - Parameters:
    ///   - mode: How far it goes.
    ///   - patience: How many milliseconds to wait for other connections; `nil` for those of ``settings``.
    /// - Throws: ``DatabaseError`` with code `busy` if another connection is in the way.
    package func checkpoint(_ mode: CheckpointMode, patience: CInt? = nil) throws {
        if let patience { sqlite3_busy_timeout(handle, patience) }
        defer { if patience != nil { sqlite3_busy_timeout(handle, settings.patience) } }
        try check(sqlite3_wal_checkpoint_v2(handle, "main", mode.rawValue, nil, nil))
    }

    /// Makes bytes the connection's main database, without copying them; they must stay in place, unchanged.
    ///
    /// - Throws: ``DatabaseError``.
    package func attach(_ bytes: UnsafeRawBufferPointer) throws {
        // SQLite's parameter is a mutable pointer; with this flag SQLite doesn't write.
        let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
        let length = sqlite3_int64(bytes.count)
        let flags = UInt32(SQLITE_DESERIALIZE_READONLY)
        try check(sqlite3_deserialize(handle, "main", start, length, length, flags))
    }

    /// The statement of a text, prepared at its first use and kept until the connection is closed.
    func prepared(_ sql: String) throws -> PreparedStatement {
        if let statement = statements[sql] { return statement }
        let statement = try PreparedStatement(self, sql)
        statements[sql] = statement
        return statement
    }

    private func run(_ sql: String) throws { try Statement(self, sql).run() }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw DatabaseError(code, of: handle) }
    }
}

extension Database {
    /// When a transaction takes its locks, as the statement that begins it.
    package enum TransactionKind: String, Sendable {
        /// A snapshot at the first read.
        case deferred = "BEGIN DEFERRED"
        /// The lock of writers, at once.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// How far a checkpoint goes: <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>.
    package struct CheckpointMode: RawRepresentable, Hashable, Sendable {
        package let rawValue: CInt

        package init(rawValue: CInt) { self.rawValue = rawValue }

        /// As far as possible without waiting for readers or the writer.
        package static let passive = Self(rawValue: SQLITE_CHECKPOINT_PASSIVE)
        /// All of the log.
        package static let full = Self(rawValue: SQLITE_CHECKPOINT_FULL)
        /// All of the log, which the next commit begins anew.
        package static let restart = Self(rawValue: SQLITE_CHECKPOINT_RESTART)
        /// All of the log, whose file is emptied.
        package static let truncate = Self(rawValue: SQLITE_CHECKPOINT_TRUNCATE)
    }
}
