import GRDB
import Synchronization
public import YonderModel

/// Chats, accounts and objects in one SQLite database.
///
/// One writer with group commit: what arrives while a commit runs joins the next, and is answered after it has
/// reached the disk (`synchronous = FULL`). It appends to one table, and moves what has come to the chats later, or
/// when somebody asks for it: `Documentation/decisions/0005-append-first-sort-later.md` says why, and what it gains. Readers work beside it in snapshots, each of which has every commit that
/// was answered before it began: so who was told that a message is stored finds it.
public final class SQLiteStore: Sendable {
    let file: SQLiteFile
    private let writer: ChatWriter
    let objectWriter: ObjectWriter
    let nextChatID: @Sendable () -> ChatID
    private let queue: Mutex<CommitQueue>
    private let hasFailed = Atomic(false)

    /// The chats of which something stands in ``RecentMessages`` alone: at least all that was answered.
    private let unsettled = Mutex<Set<ChatID>>([])

    /// Opens the database in a folder, or makes both.
    ///
    /// Blocks while it looks through the database and brings it to the newest version. The folder stays locked until
    /// ``close()``, or the end of the process.
    ///
    /// - Throws: ``StorageError``.
    public static func open(folder: String) throws(StorageError) -> SQLiteStore {
        try SQLiteStore(folder: folder)
    }

    /// Opens the database in a folder that a server may have open at the same time, to look after accounts and keys.
    ///
    /// The folder isn't locked, and must be there. Chats are the server's alone: it keeps what it knows of them in
    /// memory.
    ///
    /// - Throws: ``StorageError``.
    public static func openBesideServer(folder: String) throws(StorageError)
        -> any AccountStore & KeyStore
    {
        try SQLiteStore(folder: folder, isShared: true)
    }

    init(
        folder: String,
        migrations: [Migration] = SQLiteStore.migrations,
        limits: CommitQueue.Limits = .init(),
        isShared: Bool = false,
        recentLimit: Int = 32_768,
        nextChatID: @escaping @Sendable () -> ChatID = { .random() },
        nextObjectID: @escaping @Sendable () -> ObjectID = { .random() }
    ) throws(StorageError) {
        file = try SQLiteFile(folder: folder, name: "yonder.db", migrations: migrations, isShared: isShared)
        queue = Mutex(CommitQueue(limits: limits))
        writer = ChatWriter(recentLimit: recentLimit)
        objectWriter = ObjectWriter(nextID: nextObjectID)
        self.nextChatID = nextChatID
        // Beside a server that runs, what is unsettled is that server's.
        if !isShared { try settleAll() }
    }

    /// Brings what the last process left unsettled to where readers look, and ends the deletions that it began.
    private func settleAll() throws(StorageError) {
        do {
            try file.pool.write { database in try writer.recover(in: database) }
            while try file.pool.write({ try EntityRow.sweep(limit: 10_000, in: $0) }) {}
        } catch {
            throw StorageError(.inaccessible, "The database can't be written: \(error).")
        }
    }

    /// Writes what waits, takes nothing more, and lets go of the folder when the last reader is done.
    ///
    /// Blocks until then: not to be called from an event loop.
    ///
    /// - Throws: ``StorageError`` with code `inaccessible` if the disk fails; what was answered is safe all the same.
    public func close() throws(StorageError) {
        queue.withLock { $0.close() }
        do {
            while queue.withLock({ !$0.isIdle }) { file.pool.writeWithoutTransaction { _ in } }
            try file.close()
        } catch {
            throw StorageError(.inaccessible, "The database can't be closed: \(error).")
        }
    }

    /// Whether it can be read, and written as far as is known: after a write that failed, another is tried.
    public func isHealthy() async -> Bool {
        do throws(SharingError) {
            _ = try await file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
            if hasFailed.load(ordering: .relaxed) {
                try await write { database, _ in
                    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                    try database.execute(sql: "PRAGMA user_version = \(version)")
                }
            }
            return true
        } catch {
            return false
        }
    }

    /// Runs `body` in a transaction of its own, between those of `submit`.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database, ChatWriter) throws -> Value
    ) async throws(SharingError) -> Value {
        try await file.write { [writer] database in
            try writer.begin(in: database)
            return try body(database, writer)
        } finally: { [self] error in
            note(error)
        }
    }

    /// Runs `body` on a reader, in one snapshot that has all that was answered to do with these chats.
    func read<Value: Sendable>(
        _ chats: [ChatID],
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SharingError) -> Value {
        if unsettled.withLock({ unsettled in chats.contains(where: unsettled.contains) }) {
            try await write { database, writer in
                for chat in chats { try writer.settle(chat, in: database) }
            }
        }
        return try await file.read(body)
    }

    /// After a transaction, on the writer, before anybody hears of it.
    private func note(_ error: (any Error)?) {
        // A refusal undoes what was moved for it, too, but it doesn't speak against the disk.
        unsettled.withLock { writer.end(failed: error != nil, &$0) }
        objectWriter.end(failed: error != nil)
        hasFailed.store(error != nil && !(error is SharingError), ordering: .relaxed)
    }
}

// The ways of a submission.
extension SQLiteStore {
    /// See ``ChatStore/submit(_:completion:)``.
    public func submit(
        _ submissions: [Submission],
        completion: @escaping @Sendable ([Result<Submission.Acceptance, SharingError>]) -> Void
    ) {
        enqueue(CommitQueue.Request(submissions, completion: completion))
    }

    /// Takes a request along with the next commit, or refuses it at once.
    func enqueue(_ request: CommitQueue.Request) {
        switch queue.withLock({ $0.append(request) }) {
        case .wait: break
        case .schedule: scheduleCommit()
        case .refuse: request.refuse(.storeBusy)
        }
    }

    private func scheduleCommit() {
        file.pool.asyncWriteWithoutTransaction { [self] database in
            let requests = queue.withLock { $0.next() }
            for answer in commit(requests, in: database) { answer() }
            if queue.withLock({ $0.finish(requests) }) { scheduleCommit() }
        }
    }

    /// Writes requests in one transaction: all of it is on the disk afterwards, or nothing.
    ///
    /// - Returns: What to tell each.
    private func commit(_ requests: [CommitQueue.Request], in database: Database) -> [() -> Void] {
        var answers: [() -> Void] = []
        do {
            try database.inTransaction(.immediate) {
                try writer.begin(in: database)
                answers = try requests.map { try perform($0.work, in: database) }
                try writer.settleOldest(in: database)
                try objectWriter.flush(in: database)
                return .commit
            }
            note(nil)
            return answers
        } catch {
            note(error)
            return requests.map { request in { request.refuse(.storeFailed) } }
        }
    }

    private func perform(_ work: CommitQueue.Request.Work, in database: Database) throws -> () -> Void {
        switch work {
        case .messages(let submissions, let completion):
            let results = try submissions.map { try writer.submit($0, in: database) }
            return { completion(results) }
        case .objects(let submissions, let completion):
            let results = try submissions.map { try objectWriter.change($0, in: database) }
            return { completion(results) }
        }
    }
}
