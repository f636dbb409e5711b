import CSQLite
import Synchronization

/// The connection that carries the log into the database, without leftovers, and scrubs pages in place.
///
/// Leftovers are bytes of erased rows in a page's unused room; to scrub a page is to overwrite them (``PageLayout``).
///
/// `SQLiteFile` owns one while a database is open from which content is erased, and all calls come by way of
/// `SQLiteFile+Erasing.swift`: ``checkpoint(_:patience:)`` at the writer's turn, ``carry(failing:)`` and
/// ``scrub(from:limit:failing:)`` in a round of erasing, beside the writer, ``forgive()`` once the store has recorded that
/// all pages must be read, and ``close()``. Its calls run one after another on a queue of its own.
///
/// It holds SQLite's lock of checkpoints but for the moment in which SQLite itself takes it for a checkpoint. So another
/// program's checkpoint, which would write pages with their leftovers, gets `SQLITE_BUSY`; whether one came in such a
/// moment, ``CheckpointLedger`` decides. If one did, ``isSure`` is `false`, the file is suspected, and the store reads all
/// of its pages again.
///
/// What must stay: `synchronous` and the flush after each checkpoint, which make a carried frame durable before the log is
/// emptied, and `wal_autocheckpoint = 0`, because a commit of SQLite's own accord would checkpoint without the ledger. The
/// cache of 256 KiB and the log's 64 MiB may be changed (decision 15, `CheckpointLedgerTests`, `PageWritesTests`,
/// `ErasingTests`).
final class Checkpointer: Sendable {
    /// Whether the lock is held, and what happened while it wasn't.
    private struct State {
        var ledger = CheckpointLedger()
        var isLocked = false
    }

    private let queue: DatabaseQueue
    private let writes: PageWrites
    private let state = Mutex(State())

    /// Opens the connection to a database in WAL mode that another connection has open.
    ///
    /// - Throws: `DatabaseError` if it can't be opened or read, or the log's index can't be mapped.
    init(path: String, writes: PageWrites) throws {
        self.writes = writes
        var settings = DatabaseSettings()
        settings.label = "yonder.checkpoints"
        settings.patience = SQLiteFile.lockPatience
        settings.keepLog()
        settings.prepare { database in
            try writes.follow(database)
            try database.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA cache_size = -256;
                    PRAGMA wal_autocheckpoint = 0;
                    PRAGMA journal_size_limit = 67108864;
                    """
            )
        }
        queue = try DatabaseQueue(path: path, settings: settings)
        try queue.inDatabase { try begin($0) }
    }

    /// Whether every page that came out of the log since the start was written without leftovers.
    var isSure: Bool { state.withLock(\.ledger.isOurs) }

    /// Call this when it is recorded that all of the file must be read.
    func forgive() {
        state.withLock { $0.ledger.forgive() }
    }

    private func begin(_ database: Database) throws {
        _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
        let index = try WALIndex(database)
        state.withLock { state in
            state.isLocked = index.lockCheckpoints()
            state.ledger.begin(carried: index.carried)
        }
    }

    /// Carries frames of the log into the database, and flushes both.
    ///
    /// - Parameters:
    ///   - mode: A truncating checkpoint on the writer's turn alone.
    ///   - patience: How many milliseconds to wait for readers.
    /// - Throws: `DatabaseError`, with `SQLITE_BUSY` if a reader or another program is in the way.
    func checkpoint(_ mode: Database.CheckpointMode, patience: Int) throws {
        try queue.inDatabase { database in
            try database.execute(sql: "PRAGMA busy_timeout = \(patience)")
            _ = try checkpoint(database, mode)
        }
    }

    /// Runs a passive checkpoint beside the writer, and flushes the pages that it wrote.
    ///
    /// - Parameter fail: Called, before the next checkpoint can begin, for every error but `SQLITE_BUSY`.
    /// - Returns: How many frames of the log aren't in the database: the newest, or those behind a reader's snapshot.
    /// - Throws: `DatabaseError`, with `SQLITE_BUSY` if another program makes a checkpoint.
    func carry(failing fail: @escaping @Sendable () -> Void) async throws -> Int {
        try await beside(failing: fail) { [self] database in
            let result = try checkpoint(database, .passive)
            // SQLite flushes only when it has come to the log's end.
            try DatabaseFile(database).flush()
            return Int(result.frames) - Int(result.carried)
        }
    }

    private func checkpoint(
        _ database: Database,
        _ mode: Database.CheckpointMode
    ) throws -> (frames: CInt, carried: CInt) {
        let index = try WALIndex(database)
        guard lock(index) else { throw Self.busy }
        let before = index.progress
        index.unlockCheckpoints()
        // SQLite sets both counts also when a reader has stopped the checkpoint.
        var (frames, carried): (CInt, CInt) = (-1, -1)
        let (code, isAlone) = writes.watching(CheckpointWatch(index, before: before)) {
            sqlite3_wal_checkpoint_v2(database.handle, "main", mode.rawValue, &frames, &carried)
        }
        let after =
            carried < 0 ? nil : CheckpointProgress(carried: UInt32(carried), isComplete: carried == frames)
        state.withLock { state in
            state.isLocked = index.lockCheckpoints()
            state.ledger.end(
                from: before,
                to: after,
                wasAlone: isAlone,
                isLocked: state.isLocked,
                now: index.carried
            )
        }
        guard code == SQLITE_OK else { throw Self.failure(code, database) }
        return (frames, carried)
    }

    private func lock(_ index: WALIndex) -> Bool {
        state.withLock { state in
            guard !state.isLocked else { return true }
            state.isLocked = index.lockCheckpoints()
            if state.isLocked { state.ledger.resume() }
            return state.isLocked
        }
    }

    /// Scrubs pages in place, while no connection of any program writes to the file, and flushes them.
    ///
    /// - Parameters:
    ///   - first: The first page.
    ///   - limit: How many pages are read at most.
    ///   - fail: Called, before the next checkpoint can begin, for every error but `SQLITE_BUSY`.
    /// - Returns: How many pages were read and overwritten, and where to go on.
    /// - Throws: `DatabaseError`, with `SQLITE_BUSY` if another program makes a checkpoint.
    func scrub(
        from first: Int64,
        limit: Int64,
        failing fail: @escaping @Sendable () -> Void
    ) async throws -> ScrubStep {
        try await beside(failing: fail) { [self] database in
            guard try lock(WALIndex(database)) else { throw Self.busy }
            let scrubber = try PageScrubber(database, writes: writes)
            let step = try scrubber.scrub(from: first, limit: limit)
            if step.changed > 0 { try scrubber.flush() }
            return step
        }
    }

    /// Runs `body` on the connection, beside the writer.
    private func beside<Value: Sendable>(
        failing fail: @escaping @Sendable () -> Void,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.enqueue { database in
                let outcome = Result { try body(database.get()) }
                if case .failure(let error) = outcome, !SQLiteFile.isBusy(error) { fail() }
                continuation.resume(with: outcome)
            }
        }
    }

    /// Closes the connection, after the calls that wait.
    ///
    /// - Throws: `DatabaseError` if SQLite can't close it.
    func close() throws {
        try? queue.inDatabase { try WALIndex($0).unlockCheckpoints() }
        try queue.close()
    }

    private static func failure(_ code: CInt, _ database: Database) -> DatabaseError {
        DatabaseError(code, of: database.handle)
    }

    private static var busy: DatabaseError {
        DatabaseError(resultCode: .busy, message: "Another program makes a checkpoint.")
    }
}
