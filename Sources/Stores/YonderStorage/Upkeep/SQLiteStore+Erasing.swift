import Dispatch
import Synchronization
import YonderModel
import YonderSQLite

// The removal of erased content from the files: `Documentation/decisions/0015-erased-is-gone.md`.
// `SQLiteStore.maintain(pause:)` calls ``eraseIfDue()`` and ``scrubIfDue()`` twice a second; whatever erases content
// calls ``noteErasure()``. A round that a reader or another program prevents is tried again later, as `Erasure` says; a
// disk that fails fails the store.
//
// The order in a round must stay: duplicates in `recent`, then the log is carried, then truncated on the writer's turn,
// as each step may bring leftovers to the next. So must the key `scrubbed` in `upkeep`, which the next process reads.
// Rows in a transaction, pages in a step and the stretch may be changed (`ErasingTests`, `ErasingKilledTests`,
// `ErasingCostTests`).
extension SQLiteStore {
    /// How many rows of `recent` are looked at in one transaction.
    private static let rowsPerCommit = 200

    /// Call this when content was erased or replaced whose bytes may remain in the files.
    func noteErasure() {
        erasure.withLock { $0.note(at: .now) }
    }

    /// Runs `body` in a transaction that removes content.
    func erase<Value: Sendable>(
        _ body: @escaping @Sendable (Database, ChatWriter) throws -> Value
    ) async throws(SharingError) -> Value {
        defer { noteErasure() }
        return try await write(isErasing: true, body)
    }

    /// Removes leftovers of erased content if a round is due.
    func eraseIfDue() async {
        guard let since = erasure.withLock({ $0.begin(at: .now) }) else { return }
        let isDone = await emptyLog()
        erasure.withLock { isDone ? $0.succeed(at: .now) : $0.fail(since: since, at: .now) }
    }

    /// Removes all erased content from the files: duplicate rows, the log, and leftovers in pages of before.
    ///
    /// - Returns: Whether all of it was removed; `false` if a reader holds the log, or the disk fails.
    func removeLeftovers() async -> Bool {
        while scrubbing.withLock({ $0.next != nil }) {
            guard await scrubOn(until: { false }) else { return false }
        }
        return await emptyLog()
    }

    /// A round: removes duplicate rows and the log, which is carried into the database without leftovers.
    private func emptyLog() async -> Bool {
        do {
            try await removeMoved()
            try await file.carryLog()
            let changed = try await onWriter { try $0.truncateLog() }
            report(.erased(pages: changed))
            let unsure = file.takeUnsure()
            if unsure > 0 { report(.unsure(pages: unsure)) }
            return true
        } catch {
            await note(error)
            return false
        }
    }

    /// Deletes moved rows from `recent`, in transactions so short that other writes needn't wait.
    private func removeMoved() async throws {
        var place: Int64? = .min
        while let id = place {
            place = try await write(isErasing: true) { database, writer in
                try writer.removeMoved(behind: id, limit: Self.rowsPerCommit, in: database)
            }
        }
    }

    /// Runs `body` on the writer, and fails the store if the disk does.
    private func onWriter<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteFile) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            file.queue.async { [self] in
                continuation.resume(
                    with: Result {
                        guard prepare(isErasing: true) else { throw SharingError.storeFailed }
                        return try body(file)
                    }
                )
            }
        }
    }

    /// Records a failure of the disk beside the writer, or on its turn.
    private func note(_ error: any Error) async {
        guard !(error is SharingError), !SQLiteFile.isBusy(error) else { return }
        await withCheckedContinuation { continuation in
            file.queue.async { [self] in
                file.markBroken()
                fail(error)
                continuation.resume()
            }
        }
    }
}

// The reading of pages that were written before, or by another program.
extension SQLiteStore {
    /// How many pages are read before a checkpoint may come between: 256 KiB.
    private static let pagesPerStep: Int64 = 64
    /// How long pages are read before the store looks for other work.
    private static let stretch = Duration.milliseconds(250)

    /// Reads on where the last reading of all pages was interrupted, for a moment, if there is such a reading.
    func scrubIfDue() async {
        guard health.withLock({ $0.state }) != .failed, !file.isBroken else { return }
        if file.isSuspected { try? await onWriter { [self] _ in try trustPages() } }
        guard scrubbing.withLock({ $0.next != nil }) else { return }
        let end = ContinuousClock.now + Self.stretch
        _ = await scrubOn(until: { ContinuousClock.now >= end })
    }

    /// Stores that all pages must be read if another program wrote some, and relies on this program from now on; on the
    /// writer.
    func trustPages() throws {
        if file.isSuspected {
            scrubbing.withLock { $0.restart() }
            let begun = scrubbing.withLock(\.self)
            try transact { try Self.store(begun, in: $0) }
        }
        file.settleSuspicion()
    }

    /// Reads how far the last process came, on the writer.
    func resumeScrubbing() throws {
        let stored = try transact { try Self.scrubbing(in: $0) }
        scrubbing.withLock { $0 = stored }
    }

    /// Reads pages until there are no more, or until `isEnough`, and stores how far it came.
    ///
    /// - Returns: Whether it was neither prevented nor interrupted.
    private func scrubOn(until isEnough: () -> Bool) async -> Bool {
        let begun = scrubbing.withLock(\.self)
        var reached = begun
        do {
            while let next = reached.next, !isEnough() {
                reached.advance(to: try await file.scrub(from: next, pages: Self.pagesPerStep).next)
            }
            return try await advance(from: begun, to: reached)
        } catch {
            await note(error)
            return false
        }
    }

    /// Stores how far a reading came, unless it was begun anew meanwhile.
    private func advance(from begun: Scrubbing, to reached: Scrubbing) async throws -> Bool {
        let isCurrent = try await write(isErasing: true) { [self] database, _ in
            guard scrubbing.withLock({ $0 == begun }), !file.isSuspected else { return false }
            try Self.store(reached, in: database)
            scrubbing.withLock { $0 = reached }
            return true
        }
        guard isCurrent, reached.next == nil else { return isCurrent }
        report(.scrubbed)
        // The writer's cache and the log may still have leftovers of these pages, so a round follows.
        noteErasure()
        return true
    }

    private static func store(_ scrubbing: Scrubbing, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO upkeep (name, value) VALUES ('scrubbed', ?)",
            arguments: [scrubbing.stored]
        )
    }

    private static func scrubbing(in database: Database) throws -> Scrubbing {
        Scrubbing(
            stored: try Int64.fetchOne(database, sql: "SELECT value FROM upkeep WHERE name = 'scrubbed'")
        )
    }
}
