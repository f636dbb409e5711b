import GRDB
import YonderModel

/// An open database and its folder's lock.
///
/// WAL: readers see every commit that was finished when they began, and never half of one.
final class SQLiteFile: Sendable {
    private let lock: FolderLock?
    let pool: DatabasePool

    /// Opens or makes a database and brings it to the newest version.
    ///
    /// With `isShared` another process may have the folder open; its lock is left alone then.
    ///
    /// - Throws: ``StorageError``.
    init(
        folder: String,
        name: String,
        migrations: [Migration],
        isShared: Bool = false
    ) throws(StorageError) {
        lock = isShared ? nil : try FolderLock(folder: folder)
        do {
            var configuration = Configuration()
            configuration.maximumReaderCount = 4
            configuration.busyMode = .timeout(10)
            configuration.foreignKeysEnabled = false
            configuration.prepareDatabase { try Self.prepare($0) }
            PrivateFile.prepare("\(folder)/\(name)")
            pool = try DatabasePool(path: "\(folder)/\(name)", configuration: configuration)
            try pool.writeWithoutTransaction { database in
                try Self.prepareWriter(database)
                try Self.check(database, named: name)
                try migrations.migrate(database, named: name)
            }
        } catch let error as StorageError {
            throw error
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            throw StorageError(
                .inaccessible,
                "\(folder)/\(name) can't be opened: is there such a folder, and may its files be written?"
            )
        } catch let error as DatabaseError where error.isCorruption {
            throw StorageError(.corrupt, "\(folder)/\(name) is damaged: \(error.message ?? "").")
        } catch {
            throw StorageError(.inaccessible, "\(folder)/\(name) can't be opened: \(error).")
        }
    }

    private static func prepare(_ database: Database) throws {
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
    }

    /// `DatabasePool` sets `synchronous` to `NORMAL` after it has called `prepareDatabase`: so this comes later.
    private static func prepareWriter(_ database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA secure_delete = OFF;
                PRAGMA cache_size = -65536;
                PRAGMA wal_autocheckpoint = 8192;
                PRAGMA journal_size_limit = 67108864;
                """
        )
        guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
            throw StorageError(.inaccessible, "SQLite doesn't wait for the disk.")
        }
    }

    /// Looks through a database of up to 64 MiB; a larger one takes too long, and tells when it is read.
    private static func check(_ database: Database, named name: String) throws {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        guard pages <= 16_384 else { return }
        let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "ok"
        guard finding == "ok" else { throw StorageError(.corrupt, "\(name) is damaged: \(finding).") }
    }

    /// Moves what is in the log into the database and closes it.
    func close() throws {
        if lock != nil { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }
        try pool.close()
        lock?.release()
    }

    /// Runs `body` on the writer, one after the other, in a transaction that its error undoes.
    ///
    /// - Parameters:
    ///   - body: What to do.
    ///   - finally: Called on the writer as well, when the transaction is over, with its error.
    /// - Returns: What `body` gives, once it is on the disk.
    /// - Throws: ``SharingError``: that of `body`, or `unavailable`.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        finally: @escaping @Sendable ((any Error)?) -> Void = { _ in }
    ) async throws(SharingError) -> Value {
        let outcome: Result<Value, SharingError> = await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { database in
                let outcome = Result { try Self.transaction(database, body) }
                finally(outcome.failure)
                continuation.resume(returning: .catching { try outcome.get() })
            }
        }
        return try outcome.get()
    }

    private static func transaction<Value>(_ database: Database, _ body: (Database) throws -> Value) throws
        -> Value
    {
        var value: Value?
        try database.inTransaction(.immediate) {
            value = try body(database)
            return .commit
        }
        guard let value else { throw SharingError.storeFailed }
        return value
    }

    /// Runs `body` on a reader, in one snapshot.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        let outcome: Result<Value, SharingError> = await withCheckedContinuation { continuation in
            pool.asyncRead { access in
                continuation.resume(returning: .catching { try body(access.get()) })
            }
        }
        return try outcome.get()
    }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}

extension Result where Failure == SharingError {
    /// What `body` gives; what isn't a refusal by the rules becomes `unavailable`.
    static func catching(_ body: () throws -> Success) -> Self {
        do {
            return .success(try body())
        } catch let error as SharingError {
            return .failure(error)
        } catch {
            return .failure(.storeFailed)
        }
    }
}

extension DatabaseError {
    fileprivate var isCorruption: Bool {
        resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB
    }
}
