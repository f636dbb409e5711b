import Synchronization

// Opening.
// `SQLiteFile` calls ``open(isFirst:)`` when it is made, and after a failure each time that it is reopened;
// ``openForReading(instead:)`` follows where the disk is full or read-only. A failure closes what was opened; the
// database is left as it was.
//
// Must stay: the log is carried and both files are flushed before anything is answered from them (decision 16),
// `synchronous = FULL`, and `secure_delete` (decision 15). The check of up to 64 MiB and the patience may be changed
// (`OpeningTests`, `SQLiteFileTests`).
extension SQLiteFile {
    /// Opens the connections, migrates the database, and carries its log into it.
    func open(isFirst: Bool) throws(StorageError) {
        do {
            try openConnections(isFirst: isFirst)
        } catch {
            dropCheckpointer()
            throw storageError(of: error)
        }
    }

    private func openConnections(isFirst: Bool) throws {
        PrivateFile.prepare(path)
        suspectUnlessSealed()
        let pool = try DatabasePool(path: path, settings: settings, readerCount: Self.readerCount)
        try pool.writeWithoutTransaction { database in
            try prepareWriter(database)
            if isFirst { try check(database) }
            try migrations.migrate(database, named: name)
            try openCheckpointer()
            try flush(database)
        }
        connections.withLock { $0.pool = pool }
    }

    private func storageError(of error: any Error) -> StorageError {
        switch error {
        case let error as StorageError:
            return error
        case let error as DatabaseError where error.resultCode == .cannotOpen:
            return StorageError(
                .inaccessible,
                "\(path) can't be opened: is there such a folder, and may its files be written?"
            )
        case let error as DatabaseError where error.isCorruption:
            return StorageError(.corrupt, "\(path) is damaged: \(error.message ?? "").")
        default:
            return StorageError(.inaccessible, "\(path) can't be opened: \(error).")
        }
    }

    private var settings: DatabaseSettings {
        var settings = DatabaseSettings()
        settings.patience = Self.lockPatience
        settings.keepLog()
        settings.prepare { [writes, observe] database in
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 0")
            try writes?.follow(database)
            observe(database)
        }
        return settings
    }

    /// Opens a database on a disk that can't be written.
    ///
    /// - Throws: `failure`, if reading fails, too; ``StorageError`` with code `noRoom` if the database must
    ///   be migrated first.
    func openForReading(instead failure: StorageError) throws(StorageError) {
        guard failure.code == .inaccessible, FileSize.bytes(of: path) ?? 0 > 0 else { throw failure }
        do {
            let reader = try FrozenReader(path: path, access: .alone, hasLog: hasLog, views: frozenViews)
            let version = try reader.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            try migrations.checkReadable(
                at: version,
                named: name,
                bytes: FileSize.bytes(of: path) ?? 0,
                because: failure.message
            )
            connections.withLock { $0.frozen = reader }
            broken.store(true, ordering: .relaxed)
        } catch let error as StorageError {
            throw error
        } catch {
            throw failure
        }
    }

    /// Sets the writer's pragmas.
    ///
    /// `secure_delete` overwrites deleted content: `Documentation/decisions/0015-erased-is-gone.md`.
    private func prepareWriter(_ database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA secure_delete = ON;
                PRAGMA cache_size = -65536;
                PRAGMA wal_autocheckpoint = 0;
                PRAGMA journal_size_limit = 67108864;
                """
        )
        guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
            throw StorageError(.inaccessible, "SQLite doesn't flush commits: synchronous isn't FULL.")
        }
        wal.follow(database)
        try tune(database)
    }

    /// Checkpoints the log into the database, and flushes both files and their names.
    private func flush(_ database: Database) throws {
        _ = try carryWithoutWaiting(database)
        try Self.overwriteLogsEnd(database)
        guard FolderFlush.flush(folder) else {
            throw StorageError(.inaccessible, "The folder \(folder) can't be flushed.")
        }
    }

    /// Checks a database of up to 64 MiB; a larger one would take too long, and its damage shows when it is
    /// read.
    ///
    /// On a connection of its own, so that the pages don't stay in the writer's cache.
    private func check(_ database: Database) throws {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        guard pages <= 16_384 else { return }
        var settings = DatabaseSettings()
        settings.isReadOnly = true
        settings.patience = Self.lockPatience
        settings.keepLog()
        let checker = try DatabaseQueue(path: path, settings: settings)
        let finding = try checker.inDatabase { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") ?? "ok" }
        try checker.close()
        guard finding == "ok" else { throw StorageError(.corrupt, "\(name) is damaged: \(finding).") }
    }
}
