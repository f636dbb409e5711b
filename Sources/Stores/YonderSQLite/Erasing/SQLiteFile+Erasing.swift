import CSQLite
import Synchronization

// Checkpoints of a file from which content is erased: `Documentation/decisions/0015-erased-is-gone.md`.
// `SQLiteStore+Erasing.swift` calls ``carryLog()``, ``truncateLog()``, ``scrub(from:pages:)`` and ``settleSuspicion()``;
// `SQLiteFile` checkpoints, suspects and seals when it opens and closes. A busy database is an error that the next round
// gets over; with any other the file counts as broken and is reopened. The outbox's file has no checkpointer, and none
// of this.
//
// That a suspected file's seal is removed before anything else, and written again only in ``settleSuspicion()``, must
// stay: a killed process would leave leftovers that nobody looks for (`FileSealTests`, `ErasingKilledTests`). Patience,
// remainder and attempts may be changed.
extension SQLiteFile {
    /// How many milliseconds a round waits on the writer's turn for readers.
    private static let patience = 15
    /// How many frames a round leaves for the writer's turn.
    private static let remainder = 64
    /// How often a round carries the log before the writer's turn.
    private static let attempts = 3

    private var checkpointer: Checkpointer? { connections.withLock { $0.checkpointer } }
    private var sealPath: String { "\(path)-scrubbed" }

    /// Whether pages of the file may have leftovers, because they were written before, or by another program.
    ///
    /// Remains `true`, also for the next process, until ``settleSuspicion()``.
    package var isSuspected: Bool { suspected.load(ordering: .relaxed) }

    /// How many pages were left as they are since the last call, because their kind isn't certain.
    package func takeUnsure() -> Int { writes?.takeUnsure() ?? 0 }

    /// Call this on ``queue`` when it is stored that all of the file must be read.
    package func settleSuspicion() {
        checkpointer?.forgive()
        let wasSuspected = suspected.exchange(false, ordering: .relaxed)
        guard wasSuspected || FileSeal.load(sealPath) != .running else { return }
        FileSeal.running.store(sealPath, in: folder)
    }

    /// Carries the log into the database beside the writer, so that little is left for its turn.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_BUSY` if a reader holds the log; with another code if the disk fails.
    package func carryLog() async throws {
        for _ in 0..<Self.attempts {
            guard let left = try await checkpointer?.carry(failing: { [self] in markBroken() }) else {
                return
            }
            noteSuspicion()
            if left <= Self.remainder { return }
        }
        throw DatabaseError(
            resultCode: .busy,
            message: "A reader holds the log, or it grows too fast."
        )
    }

    /// Truncates the log, and empties the writer's cache of leftovers; call it on ``queue``.
    ///
    /// A commit follows, because the log of a process that was killed is never empty: one that is empty or missing was
    /// emptied by another program.
    ///
    /// - Returns: How many pages were written without leftovers since the last call.
    /// - Throws: `DatabaseError` with `SQLITE_BUSY` if a reader holds the log; with another code the file is broken.
    package func truncateLog() throws -> Int {
        do {
            return try pool.writeWithoutTransaction { database in
                try checkpoint(database, .truncate, patience: Self.patience)
                let changed = releaseLeftovers(database)
                try Self.overwriteLogsEnd(database)
                return changed
            }
        } catch {
            if !Self.isBusy(error) { markBroken() }
            throw error
        }
    }

    /// Whether a reader or another program is in the way, rather than that the disk fails.
    package static func isBusy(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .busy
    }

    /// Runs a checkpoint, which is left for later if another program is in the way.
    func unlessBusy(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            if Self.isBusy(error) { return }
            markBroken()
            throw error
        }
    }

    /// The writer's cached copies of pages still have leftovers, and would bring them into the log again.
    private func releaseLeftovers(_ database: Database) -> Int {
        guard let writes else { return 0 }
        let count = writes.scrubbedCount
        let changed = count - released.exchange(count, ordering: .relaxed)
        if changed > 0 { sqlite3_db_release_memory(database.handle) }
        return changed
    }

    /// Overwrites leftovers in up to `pages` pages from `first` on, in place and beside the writer.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_BUSY` if another program makes a checkpoint; with another code if the
    ///   disk fails.
    package func scrub(from first: Int64, pages: Int64) async throws -> ScrubStep {
        guard let checkpointer else { throw DatabaseError(resultCode: .busy) }
        let step = try await checkpointer.scrub(from: first, limit: pages) { [self] in markBroken() }
        writes?.add(step)
        return step
    }
}

// What is known of the file's pages.
extension SQLiteFile {
    /// Makes a checkpoint; call it on ``queue``, with the writer's connection.
    ///
    /// - Parameters:
    ///   - database: The connection of the writer.
    ///   - mode: How far it goes.
    ///   - patience: How many milliseconds to wait for other programs.
    /// - Throws: `DatabaseError`, with `SQLITE_BUSY` if a reader or another program is in the way.
    func checkpoint(_ database: Database, _ mode: Database.CheckpointMode, patience: Int = 0) throws {
        guard let checkpointer else { return try database.checkpoint(mode, patience: CInt(patience)) }
        defer { noteSuspicion() }
        try checkpointer.checkpoint(mode, patience: patience)
    }

    /// Carries the log into the database, and empties it unless a reader of another program holds it.
    ///
    /// A reader, such as a backup, may go on for hours. What it holds stays in the log, which is on the disk as the
    /// database is, and a later checkpoint carries it.
    ///
    /// - Returns: Whether the log is empty.
    /// - Throws: `DatabaseError`, with `SQLITE_BUSY` if another program makes a checkpoint.
    func carryWithoutWaiting(_ database: Database) throws -> Bool {
        do {
            try checkpoint(database, .truncate)
            return true
        } catch {
            guard Self.isBusy(error) else { throw error }
            try checkpoint(database, .passive)
            return false
        }
    }

    /// Opens the connection that makes the checkpoints, if content is erased from this file.
    func openCheckpointer() throws {
        guard let writes else { return }
        let opened = try Checkpointer(path: path, writes: writes)
        connections.withLock { $0.checkpointer = opened }
        noteSuspicion()
    }

    /// Closes the checkpointer of a database that couldn't be opened.
    func dropCheckpointer() {
        let dropped = connections.withLock { connections in
            defer { connections.checkpointer = nil }
            return connections.checkpointer
        }
        try? dropped?.close()
    }

    /// Suspects a file of which its seal, or the last look of this process, doesn't prove that it has no leftovers.
    func suspectUnlessSealed() {
        guard writes != nil else { return }
        let last = connections.withLock { $0.mark }
        let isProven = FileSeal.proves(
            last.map(FileSeal.closed) ?? FileSeal.load(sealPath),
            mark: FileMark(path: path),
            logBytes: FileSize.bytes(of: path + "-wal") ?? 0
        )
        if !isProven { suspected.store(true, ordering: .relaxed) }
    }

    /// Seals the closed file.
    func sealClosed() {
        guard writes != nil, let mark = connections.withLock({ $0.mark }) else { return }
        FileSeal.closed(mark).store(sealPath, in: folder)
    }

    /// Suspects the file, also in the next process, if another program has made a checkpoint.
    private func noteSuspicion() {
        guard let checkpointer, !checkpointer.isSure, !isSuspected else { return }
        suspected.store(true, ordering: .relaxed)
        FileSeal.remove(sealPath, in: folder)
    }
}
