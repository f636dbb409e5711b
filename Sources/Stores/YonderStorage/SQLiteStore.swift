import Dispatch
import Synchronization
package import YonderRules
package import YonderModel
package import YonderSQLite
import YonderTables

/// Chats, accounts and objects in one SQLite database.
///
/// The functions of its ports are called on any thread.
///
/// One writer with group commit: submissions that arrive during a commit join the next one, and are answered after it
/// has reached the disk (`synchronous = FULL`). The writer appends messages to one table, and moves them to their chats
/// later, or when a reader needs them (decision 5). Readers work in parallel on snapshots, each of which includes every
/// commit that was answered before the read began: a client that received an answer finds its message.
/// `SQLiteStoreTests` tries it with the rules of all stores (`StoreRule`) and with kills.
///
/// After a failed write or flush, writes are refused until the store has recovered, which happens while
/// ``maintain(pause:)`` runs or at the next write; reading continues (decisions 15 and 16).
package final class SQLiteStore: Sendable {
    /// The database's file, for migrations alone; all other callers use the store's ports.
    package let file: SQLiteFile
    let writer: ChatWriter
    let objectWriter: ObjectWriter
    let nextChatID: @Sendable () -> ChatID

    /// See ``CommitSource/outlet``.
    package let outlet = CommitOutlet()
    let reserve: Reserve
    let report: @Sendable (StoreEvent) -> Void
    let health: Mutex<StoreHealth>
    let erasure = Mutex(Erasure())
    let scrubbing = Mutex(Scrubbing(stored: nil))
    let clearing = Mutex<Clearing?>(nil)
    private let queue: Mutex<CommitQueue<WriteRequest>>

    /// The chats of which acknowledged messages may be in ``RecentMessages`` alone, so that a read must move these first.
    ///
    /// `nil` until ``RecentMessages`` has been read at the start: until then every chat may have such messages.
    private let unsettled = Mutex<Set<ChatID>?>(nil)

    /// Opens the database in a folder, creating both if necessary.
    ///
    /// Blocks while it checks the database and migrates it to the newest version. The folder stays locked
    /// until ``close()``, or the end of the process. On a full or read-only disk an existing database is
    /// opened for reading, and for writing as soon as that works.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files.
    ///   - cacheLimit: The most bytes of pages that the writer keeps in memory.
    ///   - admitsIncomplete: Whether to open also a folder into which a migration hasn't ended.
    ///   - report: Called, on any thread, with events for the operator.
    /// - Returns: The open store.
    /// - Throws: ``StorageError``.
    package static func open(
        folder: String,
        cacheLimit: Int = SQLiteStore.cacheLimit(within: nil),
        admitsIncomplete: Bool = false,
        report: @escaping @Sendable (StoreEvent) -> Void = { _ in }
    ) throws(StorageError) -> SQLiteStore {
        let store = try SQLiteStore(
            folder: folder,
            tune: { try $0.execute(sql: "PRAGMA cache_size = -\(cacheLimit >> 10)") },
            report: report
        )
        if !admitsIncomplete { try store.checkWhole() }
        return store
    }

    /// The writer's cache for a process that may use `memory` bytes: a sixteenth, from 2 to 64 MiB.
    ///
    /// `nil` is a process of which that isn't known.
    package static func cacheLimit(within memory: Int?) -> Int {
        guard let memory else { return 64 << 20 }
        return min(max(memory / 16, 2 << 20), 64 << 20)
    }

    /// Opens the database as ``open(folder:cacheLimit:admitsIncomplete:report:)`` does; tests set what is fixed there.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files.
    ///   - migrations: The steps that make the database.
    ///   - limits: How many submissions a commit has, and how many may wait.
    ///   - recentLimit: How many messages `recent` may hold before each commit moves the oldest to their chats.
    ///   - tune: Called with each connection that writes once it is open.
    ///   - observe: Called with each connection, so that a test counts what its statements do.
    ///   - report: Called, on any thread, with events for the operator.
    ///   - nextChatID: Makes the id of a new chat.
    /// - Throws: ``StorageError``.
    init(
        folder: String,
        migrations: [Migration] = SQLiteStore.migrations,
        limits: CommitQueue<WriteRequest>.Limits = .init(perCommit: 2_000),
        recentLimit: Int = 32_768,
        tune: @escaping @Sendable (Database) throws -> Void = { _ in },
        observe: @escaping @Sendable (Database) -> Void = { _ in },
        report: @escaping @Sendable (StoreEvent) -> Void = { _ in },
        nextChatID: @escaping @Sendable () -> ChatID = { .random() }
    ) throws(StorageError) {
        file = try SQLiteFile(
            folder: folder,
            name: "yonder.db",
            migrations: migrations,
            isErasing: true,
            survivesFullDisk: true,
            frozenViews: RecentRow.views,
            tune: tune,
            observe: observe
        )
        StoreBackup.removePartial(in: folder)
        queue = Mutex(CommitQueue(limits: limits))
        writer = ChatWriter(recentLimit: recentLimit)
        objectWriter = ObjectWriter()
        reserve = Reserve(folder: folder)
        health = Mutex(StoreHealth(file.isBroken ? .failed : .healthy))
        self.nextChatID = nextChatID
        self.report = report
        begin()
    }

    /// Reads the unsettled messages of the last process, creates the reserve, and finishes interrupted
    /// deletions.
    ///
    /// Content erased by that process may remain in `recent`, so a round of erasing follows, also if the rest fails.
    private func begin() {
        noteErasure()
        file.queue.sync {
            guard !file.isBroken else { return report(.failed(code: "the database can't be written")) }
            do {
                try resumeScrubbing()
                try resume()
                try clean()
                // `resume` did so, too; cleaning replaces the file, which is then suspected anew.
                try trustPages()
                reportConflicts()
            } catch {
                file.markBroken()
                fail(error)
            }
        }
    }

    /// Writes the queued submissions, refuses further ones, and closes the folder after the last reader is
    /// done.
    ///
    /// Blocks until then: must not be called from an event loop.
    ///
    /// - Throws: ``StorageError`` with code `inaccessible` if the disk fails; answered writes are safe all
    ///   the same.
    package func close() throws(StorageError) {
        queue.withLock { $0.close() }
        do {
            while queue.withLock({ !$0.isIdle }) { file.queue.sync {} }
            try file.queue.sync { try file.close() }
        } catch {
            throw StorageError(.inaccessible, "The database can't be closed: \(error).")
        }
    }

    /// Whether content can be written, as far as known; a store that failed tries to recover first.
    ///
    /// `false` from the first failed commit until the disk has let the files grow by ``Reserve/size`` and
    /// flushed them.
    package func isHealthy() async -> Bool { await trouble() == nil }

    /// Runs `body` in a transaction of its own, between those of `submit`.
    ///
    /// - Parameters:
    ///   - isErasing: Whether `body` only removes content or moves it inside the files, which needs little room: it is also
    ///     written while the disk has no room for the reserve.
    ///   - body: Writes to the database.
    /// - Returns: The result of `body`, once the transaction is on the disk.
    /// - Throws: ``SharingError``: that of `body`, or `unavailable`.
    func write<Value: Sendable>(
        isErasing: Bool = false,
        _ body: @escaping @Sendable (Database, ChatWriter) throws -> Value
    ) async throws(SharingError) -> Value {
        let outcome: Result<Value, SharingError> = await withCheckedContinuation { continuation in
            file.queue.async { [self] in
                let outcome: Result<Value, SharingError> = .catching {
                    guard prepare(isErasing: isErasing) else { throw SharingError.storeFailed }
                    return try transact { try body($0, writer) }
                }
                continuation.resume(returning: outcome)
                checkpointIfDue()
            }
        }
        return try outcome.get()
    }

    /// Runs `body` on a reader, in one snapshot that includes every answered message of these chats.
    ///
    /// - Parameters:
    ///   - chats: The chats.
    ///   - isLong: Whether `body` may take long: see ``SQLiteFile/read(isLong:_:)``.
    ///   - body: Reads from the database.
    /// - Returns: What `body` returns.
    /// - Throws: ``SharingError``.
    func read<Value: Sendable>(
        _ chats: [ChatID],
        isLong: Bool = false,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        if unsettled.withLock({ unsettled in unsettled.map { chats.contains(where: $0.contains) } ?? true }) {
            do throws(SharingError) {
                try await write(isErasing: true) { database, writer in
                    for chat in chats { try writer.settle(chat, in: database) }
                }
            } catch {
                guard file.isBroken else { throw error }
                return try await readSettled(chats, body)
            }
        }
        return try await file.read(isLong: isLong, body)
    }

    /// Reads on a failing disk; if it has recovered meanwhile, reads normally.
    ///
    /// Messages can't be moved there: the views of ``RecentRow`` join the moved ones and those in `recent`.
    private func readSettled<Value: Sendable>(
        _ chats: [ChatID],
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        do throws(SharingError) {
            return try await file.readFrozen(body)
        } catch {
            guard !file.isBroken else { throw error }
            return try await read(chats, body)
        }
    }

    /// Runs `body` in a transaction on the writer, with the memory in step with the disk; before this returns, the
    /// outlet receives what was committed.
    ///
    /// Every commit but those of upkeep inside the files is made here.
    func transact<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            let value = try file.transaction { database in
                try writer.begin(in: database)
                return try body(database)
            }
            outlet.send(note(isUndone: false))
            return value
        } catch {
            _ = note(isUndone: true)
            if !(error is SharingError) { fail(error) }
            throw error
        }
    }

    /// Updates the memory after a transaction, on the writer, before any submission is answered.
    ///
    /// - Returns: What others must be told.
    private func note(isUndone: Bool) -> StoreCommit {
        defer { objectWriter.end(failed: isUndone) }
        return unsettled.withLock { unsettled in
            var chats = unsettled ?? []
            let commit = writer.end(failed: isUndone, &chats)
            if unsettled != nil { unsettled = chats }
            return commit
        }
    }

    /// Checkpoints the log into the database once it has grown.
    func checkpointIfDue() {
        guard !file.isBroken else { return }
        do {
            try file.checkpointIfDue()
        } catch {
            fail(error)
        }
    }

    /// Reads the memory from the disk again, on the writer: at the start, and after the database was
    /// reopened.
    func resume() throws {
        writer.forget()
        objectWriter.end(failed: true)
        try transact { try RestoredShares.end(writer, in: $0) }
        unsettled.withLock { $0 = writer.unsettled }
        while try transact({ try EntityRow.sweep(limit: 10_000, in: $0) }) {}
        try trustPages()
        health.withLock { $0.recover(hasReserve: reserve.make()) }
    }

    /// Removes erased content of earlier versions from the file, once.
    private func clean() throws {
        switch try file.clean(unless: Self.isClean, marking: Self.markClean) {
        case .notNeeded: break
        case .done: report(.cleaned)
        case .noRoom(let bytes): report(.cleaningPostponed(neededBytes: bytes))
        }
    }

    private static func isClean(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT value FROM upkeep WHERE name = 'cleaned'") ?? 1 != 0
    }

    private static func markClean(_ database: Database) throws {
        try database.execute(sql: "INSERT OR REPLACE INTO upkeep (name, value) VALUES ('cleaned', 1)")
    }

    private func reportConflicts() {
        let count = try? file.guarded { try Int.fetchOne($0, sql: "SELECT count(*) FROM conflict") ?? 0 }
        if let count, count > 0 { report(.conflicts(count)) }
    }
}

// The stages of a submission.
extension SQLiteStore {
    /// See ``ChatStore/submit(_:completion:)``.
    package func submit(
        _ submissions: [Submission],
        completion: @escaping @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
    ) {
        enqueue(WriteRequest(submissions, completion: completion))
    }

    /// See ``ChatStore/read(_:completion:)``.
    package func read(
        _ marks: [ReadMark],
        completion: @escaping @Sendable ([Result<ReadMark.Outcome, SharingError>]) -> Void
    ) {
        enqueue(WriteRequest(marks, completion: completion))
    }

    /// Queues a request for the next commit, or refuses it at once.
    func enqueue(_ request: WriteRequest) {
        switch queue.withLock({ $0.append(request) }) {
        case .wait: break
        case .schedule: scheduleCommit()
        case .refuse: request.refuse(.storeBusy)
        }
    }

    private func scheduleCommit() {
        file.queue.async { [self] in
            let requests = queue.withLock { $0.next() }
            for answer in commit(requests) { answer() }
            checkpointIfDue()
            if queue.withLock({ $0.finish(requests).isMore }) { scheduleCommit() }
        }
    }

    /// Writes requests in one transaction: afterward all of them are on the disk, or none.
    ///
    /// - Returns: The completions to call.
    private func commit(_ requests: [WriteRequest]) -> [() -> Void] {
        guard prepare(isErasing: requests.allSatisfy(\.isErasing)) else {
            return commitErasing(requests)
        }
        do {
            return try transact { database in
                let answers = try requests.map { try perform($0.work, in: database) }
                try writer.settleOldest(in: database)
                try objectWriter.flush(in: database)
                return answers
            }
        } catch {
            return requests.map(Self.refusal)
        }
    }

    /// Writes only the requests that erase content, and refuses the others.
    private func commitErasing(_ requests: [WriteRequest]) -> [() -> Void] {
        let erasing = requests.filter(\.isErasing)
        guard !erasing.isEmpty, erasing.count < requests.count else { return requests.map(Self.refusal) }
        return requests.filter { !$0.isErasing }.map(Self.refusal) + commit(erasing)
    }

    private static func refusal(of request: WriteRequest) -> () -> Void {
        { request.refuse(.storeFailed) }
    }

    private func perform(_ work: WriteRequest.Work, in database: Database) throws -> () -> Void {
        switch work {
        case .messages(let submissions, let completion):
            let results = try submissions.map { try writer.submit($0, in: database) }
            if submissions.contains(where: \.leavesRemains) { noteErasure() }
            return { completion(results) }
        case .marks(let marks, let completion):
            let results = try marks.map { try writer.read($0, in: database) }
            return { completion(results) }
        case .objects(let submissions, let completion):
            let results = try submissions.map { try objectWriter.change($0, in: database) }
            if submissions.contains(where: \.leavesRemains) { noteErasure() }
            return { completion(results) }
        }
    }
}
