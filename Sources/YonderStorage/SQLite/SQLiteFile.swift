import Dispatch
import GRDB
import Synchronization
import YonderModel

/// A database file, its folder's lock, and the connections to it, which are replaced after a failure.
///
/// WAL: a reader sees every commit that had finished when it began, and never half of one. One writer, whose work is done
/// on ``queue``.
///
/// What a failed flush leaves on the disk is unknown, whatever a later flush answers: the kernel may have dropped what it
/// couldn't write and count it as written. So after any failure ``reopen()`` takes four steps before anything counts as
/// stored again:
///
/// 1. A small commit takes the place, in the log, of what the failed one may have left there.
/// 2. Every connection is closed.
/// 3. The database is opened anew, and a truncating checkpoint writes all pages of the log to it again and flushes them.
/// 4. The folder is flushed.
final class SQLiteFile: Sendable {
    /// The connections, as they are now.
    private struct Connections {
        /// `nil` while none could be opened for writing.
        var pool: DatabasePool?
        /// For a disk that can't be written; made when it is first needed.
        var settled: SettledReader?
        var isClosed = false
    }

    /// Where everything that writes is done, one after the other.
    let queue = DispatchQueue(label: "yonder.store.writer")

    let folder: String
    private let name: String
    private let migrations: [Migration]
    private let tune: @Sendable (Database) throws -> Void
    private let lock: FolderLock
    private let wal = WALCounter()
    private let connections = Mutex(Connections())
    private let broken = Atomic(false)

    /// Opens or makes a database and brings it to the newest version.
    ///
    /// With `survivesFullDisk` a database that is there, and can only be read, is opened for reading: ``isBroken`` is `true`
    /// then. `tune` is called with each connection for writing.
    ///
    /// - Throws: ``StorageError``.
    init(
        folder: String,
        name: String,
        migrations: [Migration],
        survivesFullDisk: Bool = false,
        tune: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) throws(StorageError) {
        self.folder = folder
        self.tune = tune
        self.name = name
        self.migrations = migrations
        lock = try FolderLock(folder: folder)
        do throws(StorageError) {
            try open(isFirst: true)
        } catch {
            guard survivesFullDisk, error.code == .inaccessible else { throw error }
            Reserve(folder: folder).release()
            do throws(StorageError) {
                try open(isFirst: true)
            } catch {
                try openForReading(instead: error)
            }
        }
    }

    /// Whether what is on the disk is unknown: ``reopen()`` comes before the next write.
    var isBroken: Bool { broken.load(ordering: .relaxed) }

    /// Notes that what is on the disk is unknown.
    func markBroken() {
        broken.store(true, ordering: .relaxed)
    }

    /// The path of the database.
    var path: String { "\(folder)/\(name)" }

    /// The connections, for tests and for copies.
    ///
    /// - Throws: ``SharingError`` with code `unavailable` while there are none.
    var pool: DatabasePool {
        get throws {
            guard let pool = connections.withLock({ $0.pool }) else { throw SharingError.storeFailed }
            return pool
        }
    }
}

// Writing.
extension SQLiteFile {
    /// Runs `body` in a transaction that its error undoes; on ``queue`` alone.
    ///
    /// - Throws: What `body` throws, or `DatabaseError`: the file is broken then.
    func transaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try guarded { database in
            var value: Value?
            try database.inTransaction(.immediate) {
                value = try body(database)
                return .commit
            }
            guard let value else { throw SharingError.storeFailed }
            return value
        }
    }

    /// Runs `body` on the writer's connection, and notes a failure; on ``queue`` alone.
    func guarded<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try pool.writeWithoutTransaction(body)
        } catch let refusal as SharingError {
            throw refusal
        } catch {
            markBroken()
            throw error
        }
    }

    /// Moves the log into the database once it has grown; on ``queue`` alone.
    ///
    /// - Throws: `DatabaseError`: the file is broken then.
    func checkpointIfDue() throws {
        guard wal.count >= 8_192 else { return }
        _ = try guarded { try $0.checkpoint(.passive) }
    }

    /// Runs `body` in a transaction, after the database was opened anew if the last one failed.
    ///
    /// - Throws: ``SharingError``: that of `body`, or `unavailable`.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        let outcome: Result<Value, SharingError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    returning: .catching {
                        if isBroken { try reopen() }
                        let value = try transaction(body)
                        try? checkpointIfDue()
                        return value
                    }
                )
            }
        }
        return try outcome.get()
    }

    /// Makes sure that what is acknowledged from now on, and all that was, is on the disk; on ``queue`` alone.
    ///
    /// Readers wait while the connections are replaced, and the replacing waits for those that read.
    ///
    /// - Throws: ``StorageError`` if the disk still fails: the file stays broken, and what could be read before can be.
    func reopen() throws(StorageError) {
        do {
            try connections.withLock { $0.pool }?.writeWithoutTransaction { try Self.overwriteLogsEnd($0) }
            try closeConnections()
        } catch {
            throw StorageError(.inaccessible, "\(path) can't be written: \(error).")
        }
        try open(isFirst: false)
        broken.store(false, ordering: .relaxed)
    }

    /// Closes every connection, when those that read are done; on ``queue`` alone.
    func closeConnections() throws {
        dropSettledReader()
        try connections.withLock { $0.pool }?.close()
        connections.withLock { $0.pool = nil }
    }

    /// Commits what changes nothing, where a commit that failed may have left its frames.
    private static func overwriteLogsEnd(_ database: Database) throws {
        if database.isInsideTransaction { try database.rollback() }
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    private func dropSettledReader() {
        let reader = connections.withLock { connections in
            defer { connections.settled = nil }
            return connections.settled
        }
        reader?.close()
    }

    /// Moves what is in the log into the database and closes it.
    func close() throws {
        let pool = connections.withLock { connections in
            connections.isClosed = true
            return connections.pool
        }
        defer {
            dropSettledReader()
            lock.release()
        }
        guard let pool else { return }
        if !isBroken { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }
        try pool.close()
    }
}

// Reading.
extension SQLiteFile {
    /// Runs `body` on a reader, in one snapshot.
    ///
    /// While the database can't be opened for writing, it is read as ``readSettled(_:)`` does.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        for _ in 0..<2 {
            guard let pool = connections.withLock({ $0.pool }) else { break }
            let outcome: Result<Value, any Error> = await withCheckedContinuation { continuation in
                pool.asyncRead { access in
                    continuation.resume(returning: Result { try body(access.get()) })
                }
            }
            if outcome.isRefusedAsClosed {
                await pass()
                continue
            }
            return try Result.catching { try outcome.get() }.get()
        }
        return try await readSettled(body)
    }

    /// Runs `body` on a connection that sees what stands in `recent` as if it had been moved.
    ///
    /// For a disk that fails: nothing may be committed before the next ``reopen()``.
    func readSettled<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        guard let reader = await settledReader() else { throw SharingError.storeFailed }
        let outcome: Result<Value, SharingError> = await withCheckedContinuation { continuation in
            reader.read(body) { outcome in
                continuation.resume(returning: .catching { try outcome.get() })
            }
        }
        return try outcome.get()
    }

    /// Waits until the writer has done what it has to do now.
    private func pass() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// The reader for a disk that fails, made by the writer so that no commit comes between.
    private func settledReader() async -> SettledReader? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: currentSettledReader()) }
        }
    }

    private func currentSettledReader() -> SettledReader? {
        guard isBroken else { return nil }
        let (reader, isShared, isClosed) = connections.withLock { ($0.settled, $0.pool != nil, $0.isClosed) }
        guard reader == nil, !isClosed else { return reader }
        let opened = try? SettledReader(path: path, access: isShared ? .shared : .alone, hasLog: hasLog)
        connections.withLock { $0.settled = opened }
        return opened
    }

    private var hasLog: Bool { FileSize.bytes(of: path + "-wal") ?? 0 > 0 }
}

// Opening.
extension SQLiteFile {
    private func open(isFirst: Bool) throws(StorageError) {
        do {
            var configuration = Configuration()
            configuration.maximumReaderCount = 4
            configuration.busyMode = .timeout(10)
            configuration.foreignKeysEnabled = false
            configuration.keepLog()
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
            PrivateFile.prepare(path)
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { database in
                try prepareWriter(database)
                if isFirst { try Self.check(database, named: name) }
                try migrations.migrate(database, named: name)
                try flush(database)
            }
            connections.withLock { $0.pool = pool }
        } catch let error as StorageError {
            throw error
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            throw StorageError(
                .inaccessible,
                "\(path) can't be opened: is there such a folder, and may its files be written?"
            )
        } catch let error as DatabaseError where error.isCorruption {
            throw StorageError(.corrupt, "\(path) is damaged: \(error.message ?? "").")
        } catch {
            throw StorageError(.inaccessible, "\(path) can't be opened: \(error).")
        }
    }

    /// Opens a database that can't be written.
    ///
    /// - Throws: `failure`, if it can't be read either; ``StorageError`` with code `noRoom` if it must be changed first.
    private func openForReading(instead failure: StorageError) throws(StorageError) {
        guard failure.code == .inaccessible, FileSize.bytes(of: path) ?? 0 > 0 else { throw failure }
        do {
            let reader = try SettledReader(path: path, access: .alone, hasLog: hasLog)
            let version = try reader.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            try migrations.checkReadable(at: version, named: name, bytes: FileSize.bytes(of: path) ?? 0)
            connections.withLock { $0.settled = reader }
            broken.store(true, ordering: .relaxed)
        } catch let error as StorageError {
            throw error
        } catch {
            throw failure
        }
    }

    /// `DatabasePool` sets `synchronous` to `NORMAL` after it has called `prepareDatabase`: so this comes later.
    ///
    /// `secure_delete` overwrites what is deleted: `Documentation/decisions/0015-erased-is-gone.md`.
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
            throw StorageError(.inaccessible, "SQLite doesn't wait for the disk.")
        }
        wal.follow(database)
        try tune(database)
    }

    /// Writes what the log holds to the database and flushes both, and the names of the files.
    ///
    /// A log that another program reads at this moment can't be truncated; its pages are written all the same.
    private func flush(_ database: Database) throws {
        do {
            _ = try database.checkpoint(.truncate)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            _ = try database.checkpoint(.passive)
        }
        try Self.overwriteLogsEnd(database)
        guard FolderFlush.flush(folder) else {
            throw StorageError(.inaccessible, "The folder \(folder) can't be flushed.")
        }
    }

    /// Looks through a database of up to 64 MiB; a larger one takes too long, and damage shows when it is read.
    private static func check(_ database: Database, named name: String) throws {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        guard pages <= 16_384 else { return }
        let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "ok"
        guard finding == "ok" else { throw StorageError(.corrupt, "\(name) is damaged: \(finding).") }
    }
}

extension Result {
    /// Whether a connection was closed before it was used: another has taken its place.
    fileprivate var isRefusedAsClosed: Bool {
        guard case .failure(let error as DatabaseError) = self else { return false }
        return error.resultCode == .SQLITE_MISUSE
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
