package import Dispatch
import Synchronization
package import YonderModel

/// A database file, its folder's lock, and the connections to it, which are replaced after a failure.
///
/// WAL mode: a reader sees every commit that had finished when the read began, and no partial one. There is
/// one writer, which works on ``queue``.
///
/// After a failed flush the content of the disk is unknown, even if a later flush succeeds: the kernel may
/// have dropped the data and count it as written. So after any failure ``reopen()`` performs four steps
/// before any write counts as stored again:
///
/// 1. A small commit overwrites, in the log, the possible remains of the failed one.
/// 2. Every connection is closed.
/// 3. The database is opened again, and a truncating checkpoint writes all pages of the log to it and flushes
///    them.
/// 4. The folder is flushed.
///
/// `SQLiteStore` opens one for the server, the outbox of a phone another. Writes run on ``queue``, reads on any task. A
/// failed write or flush marks the file as broken: writes are refused until ``reopen()``, reads go to a `FrozenReader`.
/// Opening fails with a `StorageError`, and leaves the files as they were.
///
/// The four steps and their order must stay (decision 16, `SQLiteFileTests`, `StoreFailureTests`); files of the
/// extensions say what is theirs. How many readers there are may be changed.
package final class SQLiteFile: Sendable {
    /// The current connections.
    struct Connections {
        /// `nil` while the database couldn't be opened for writing.
        var pool: DatabasePool?
        /// Makes the checkpoints of a file that erases; `nil` as the pool.
        var checkpointer: Checkpointer?
        /// The file when its connections were closed last.
        var mark: FileMark?
        /// The reader for a disk that can't be written; created when first needed.
        var frozen: FrozenReader?
        var isClosed = false
    }

    /// The queue on which all writes run, one after the other.
    package let queue = DispatchQueue(label: "yonder.store.writer")

    package let folder: String
    let name: String
    let migrations: [Migration]
    let frozenViews: String
    let tune: @Sendable (Database) throws -> Void
    let observe: @Sendable (Database) -> Void
    private let lock: FolderLock
    let wal = WALCounter()
    let connections = Mutex(Connections())
    let broken = Atomic(false)
    static let readerCount = 4

    /// How many milliseconds a statement waits for a program that writes.
    ///
    /// A checkpoint of the whole file has a limit of its own. At the start and at the end of a process a checkpoint waits for no
    /// program.
    static let lockPatience: CInt = 10_000

    /// The readers that may be lent to long reads: all but one.
    private let longReads = Turnstile(SQLiteFile.readerCount - 1, limit: 10_000)

    /// Writes pages without leftovers; `nil` in a file from which nothing is erased.
    let writes: PageWrites?
    let suspected = Atomic(false)
    let released = Atomic(0)

    /// Opens or creates a database, and migrates it to the newest version.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file, which is locked until ``close()``.
    ///   - name: The file's name.
    ///   - migrations: The steps from an empty database to the newest version.
    ///   - isErasing: Whether erased content must leave the file: pages are then written without leftovers, and this
    ///     program alone makes checkpoints.
    ///   - survivesFullDisk: Whether an existing database that can only be read is opened for reading:
    ///     ``isBroken`` is then `true`.
    ///   - frozenViews: Statements that create the temporary views of ``readFrozen(_:)``.
    ///   - tune: Called with each connection for writing.
    ///   - observe: Called with each connection, for tests that count what statements do.
    /// - Throws: ``StorageError``.
    package init(
        folder: String,
        name: String,
        migrations: [Migration],
        isErasing: Bool = false,
        survivesFullDisk: Bool = false,
        frozenViews: String = "",
        tune: @escaping @Sendable (Database) throws -> Void = { _ in },
        observe: @escaping @Sendable (Database) -> Void = { _ in }
    ) throws(StorageError) {
        self.folder = folder
        self.tune = tune
        self.observe = observe
        self.name = name
        self.migrations = migrations
        self.frozenViews = frozenViews
        writes = isErasing ? PageWrites(path: "\(folder)/\(name)") : nil
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

    /// Whether the content of the disk is unknown: ``reopen()`` must come before the next write.
    package var isBroken: Bool { broken.load(ordering: .relaxed) }

    /// Marks the content of the disk as unknown.
    package func markBroken() {
        broken.store(true, ordering: .relaxed)
    }

    /// The path of the database.
    package var path: String { "\(folder)/\(name)" }

    /// The connections, for tests and for copies.
    ///
    /// - Throws: ``SharingError`` with code `unavailable` while there are none.
    package var pool: DatabasePool {
        get throws {
            guard let pool = connections.withLock({ $0.pool }) else { throw SharingError.storeFailed }
            return pool
        }
    }
}

// Writing.
extension SQLiteFile {
    /// Runs `body` in a transaction, which is rolled back if `body` throws; call it on ``queue``.
    ///
    /// - Throws: The errors of `body`, or `DatabaseError`, after which the file is broken.
    package func transaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try guarded { database in
            try database.transaction(.immediate) { try body(database) }
        }
    }

    /// Runs `body` on the writer's connection, and marks the file as broken if it fails; call it on ``queue``.
    package func guarded<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try pool.writeWithoutTransaction(body)
        } catch let refusal as SharingError {
            throw refusal
        } catch {
            markBroken()
            throw error
        }
    }

    /// Checkpoints the log into the database once it has grown; call it on ``queue``.
    ///
    /// If another program makes a checkpoint, the next commit tries again.
    ///
    /// - Throws: `DatabaseError`, after which the file is broken.
    package func checkpointIfDue() throws {
        guard wal.count >= 8_192 else { return }
        try unlessBusy {
            try pool.writeWithoutTransaction { try checkpoint($0, .passive) }
        }
    }

    /// Runs `body` in a transaction, after reopening the database if the last one failed.
    ///
    /// - Throws: ``SharingError``: that of `body`, or `unavailable`.
    package func write<Value: Sendable>(
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

    /// Ensures that all acknowledged writes, and those from now on, are on the disk; call it on ``queue``.
    ///
    /// Readers wait while the connections are replaced, and the replacement waits for active readers.
    ///
    /// - Throws: ``StorageError`` if the disk still fails: the file stays broken, and reading works as
    ///   before.
    package func reopen() throws(StorageError) {
        do {
            try connections.withLock { $0.pool }?.writeWithoutTransaction { try Self.overwriteLogsEnd($0) }
            try closeConnections()
        } catch {
            throw StorageError(.inaccessible, "\(path) can't be written: \(error).")
        }
        try open(isFirst: false)
        broken.store(false, ordering: .relaxed)
    }

    /// Closes every connection, after active readers are done; call it on ``queue``.
    func closeConnections() throws {
        dropFrozenReader()
        let (pool, checkpointer) = connections.withLock { ($0.pool, $0.checkpointer) }
        try checkpointer?.close()
        connections.withLock { $0.checkpointer = nil }
        try pool?.close()
        connections.withLock { connections in
            if pool != nil { connections.mark = FileMark(path: path) }
            connections.pool = nil
        }
    }

    /// Commits an unchanged value, to overwrite the frames that a failed commit may have left.
    static func overwriteLogsEnd(_ database: Database) throws {
        if database.isInsideTransaction { try database.rollback() }
        try database.rewriteVersion()
    }

    private func dropFrozenReader() {
        let reader = connections.withLock { connections in
            defer { connections.frozen = nil }
            return connections.frozen
        }
        reader?.close()
    }

    /// Checkpoints the log into the database, and closes the connections; waits for no other program.
    ///
    /// What a reader of another program holds stays in the log, and the next start goes on from there: that is no failure.
    ///
    /// - Throws: `DatabaseError` if the disk fails; answered writes are safe all the same.
    package func close() throws {
        connections.withLock { $0.isClosed = true }
        defer {
            dropFrozenReader()
            lock.release()
        }
        guard let pool = connections.withLock({ $0.pool }) else { return }
        let outcome = Result {
            isBroken ? false : try pool.writeWithoutTransaction { try carryWithoutWaiting($0) }
        }
        try closeConnections()
        do {
            if try outcome.get() { sealClosed() }
        } catch {
            guard Self.isBusy(error) else { throw error }
        }
    }
}

// Reading.
extension SQLiteFile {
    /// Runs `body` on a reader, in one snapshot.
    ///
    /// One reader is never lent to reads that may take long, so that the others needn't wait for these. While the
    /// database can't be opened for writing, it is read by ``readFrozen(_:)``.
    ///
    /// - Parameters:
    ///   - isLong: Whether `body` may take long.
    ///   - body: Reads from the database.
    /// - Returns: What `body` returns.
    /// - Throws: ``SharingError``: that of `body`, or `unavailable`, also if too many long reads wait.
    package func read<Value: Sendable>(
        isLong: Bool = false,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        guard isLong else { return try await readNow(body) }
        guard await longReads.enter() else { throw SharingError.storeBusy }
        defer { longReads.leave() }
        return try await readNow(body)
    }

    /// How often a read is tried while the file is closed and opened.
    private static let attempts = 6

    private func readNow<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        for _ in 0..<Self.attempts {
            guard let pool = connections.withLock({ $0.pool }) else {
                // Without one, the file was opened for writing meanwhile, or it can't be opened at all.
                if let reader = await frozenReader() { return try await Self.read(reader, body) }
                continue
            }
            do {
                return try await pool.read(body)
            } catch let refusal as SharingError {
                throw refusal
            } catch let error as DatabaseError where error.resultCode == .misuse {
                // The pool was closed, to be replaced.
                await pass()
            } catch {
                throw .storeFailed
            }
        }
        throw .storeFailed
    }

    /// Runs `body` on a connection with the temporary views that the file was opened with, in one snapshot.
    ///
    /// For a failing disk: nothing may be committed before the next ``reopen()``.
    package func readFrozen<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        guard let reader = await frozenReader() else { throw SharingError.storeFailed }
        return try await Self.read(reader, body)
    }

    private static func read<Value: Sendable>(
        _ reader: FrozenReader,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        do {
            return try await reader.read(body)
        } catch {
            throw error as? SharingError ?? .storeFailed
        }
    }

    /// Waits until the writer has finished its present work.
    private func pass() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// The reader for a failing disk, created by the writer so that no commit comes in between.
    private func frozenReader() async -> FrozenReader? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: currentFrozenReader()) }
        }
    }

    private func currentFrozenReader() -> FrozenReader? {
        guard isBroken else { return nil }
        let (reader, isShared, isClosed) = connections.withLock { ($0.frozen, $0.pool != nil, $0.isClosed) }
        guard reader == nil, !isClosed else { return reader }
        let opened = try? FrozenReader(
            path: path,
            access: isShared ? .shared : .alone,
            hasLog: hasLog,
            views: frozenViews
        )
        connections.withLock { $0.frozen = opened }
        return opened
    }

    var hasLog: Bool { FileSize.bytes(of: path + "-wal") ?? 0 > 0 }
}
