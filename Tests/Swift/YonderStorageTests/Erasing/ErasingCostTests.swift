import Dispatch
import Foundation
import CSQLite
import Synchronization
import TestSupport
import Testing
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderStorage

/// What erasing reads, and whom it delays, counted rather than timed.
struct ErasingCostTests {
    private let folder = TemporaryFolder()

    @Test func `a recall in a large file reads its own pages and none of the others, also after a restart`()
        async throws
    {
        // given 200 000 messages, whose pages were all read once
        var store = try SQLiteStore(folder: folder.path)
        let home = try await Home(store)
        for number in 1...20 {
            try await store.submit(home.submission("message \(number)", key: "\(number)"))
        }
        _ = try await store.chat(home.chat)
        try await fill(store, messages: 200_000)
        #expect(await store.removeLeftovers())
        #expect(store.scrubbing.withLock(\.next) == nil)
        try store.close()
        store = try SQLiteStore(folder: folder.path)
        #expect(store.scrubbing.withLock(\.next) == nil)
        let (pages, before) = try await counts(store)
        // when
        try await store.submit(
            Submission(
                chat: home.chat,
                sender: home.ada,
                key: "recall",
                action: .recall(number: 7),
                time: home.now
            )
        )
        await store.scrubIfDue()
        #expect(await store.removeLeftovers())
        // then
        let (_, after) = try await counts(store)
        #expect(pages > 5_000)
        #expect(after - before < 100, "\(after - before) of \(pages) pages were read")
        try store.close()
    }

    @Test func `a share of n positions is erased in n steps, not in n²`() async throws {
        var steps: [Int] = []
        for count in [400, 1_600] {
            let folder = TemporaryFolder()
            let store = try SQLiteStore(folder: folder.path)
            let home = try await Home(store)
            try await shareAndStop(home, positions: count, in: store)
            _ = try await store.chat(home.chat)
            let counter = StepCounter()
            try await store.file.pool.writeWithoutTransaction { counter.follow($0) }
            while try await store.eraseShares(at: home.now, limit: 50) > 0 {}
            try await store.file.pool.writeWithoutTransaction { counter.end($0) }
            steps.append(counter.count)
            let query = MessageQuery(chat: home.chat, limit: 10_000)
            let messages = try await store.messages(query, reader: home.bob, now: home.now).messages
            #expect(messages.allSatisfy { $0.position == nil })
            try store.close()
        }
        #expect(steps[1] < 6 * steps[0], "\(steps)")
    }

    @Test func `while a reader holds the log, rounds fail at once and messages are acknowledged`()
        async throws
    {
        let store = try SQLiteStore(folder: folder.path)
        let home = try await Home(store)
        try await store.submit(home.submission("HELD back", key: "1"))
        let (isOpen, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let reader = try DatabaseQueue(path: "\(folder.path)/yonder.db")
        reader.enqueue { access in
            _ = try? access.get().execute(sql: "BEGIN; SELECT count(*) FROM message")
            isOpen.signal()
            mayEnd.wait()
        }
        await wait(for: isOpen)
        try await store.submit(home.submission("behind", key: "2"))
        try await store.submit(
            Submission(
                chat: home.chat,
                sender: home.ada,
                key: "recall",
                action: .recall(number: 1),
                time: home.now
            )
        )
        // when
        #expect(await !store.removeLeftovers())
        #expect(try await store.submit(home.submission("meanwhile", key: "3")).message.logNumber > 2)
        #expect(await store.isHealthy())
        #expect(try files().range(of: Data("HELD back".utf8)) != nil)
        // then
        mayEnd.signal()
        try reader.close()
        #expect(await store.removeLeftovers())
        #expect(try files().range(of: Data("HELD back".utf8)) == nil)
        try store.close()
    }

    private func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    private func shareAndStop(_ home: Home, positions: Int, in store: SQLiteStore) async throws {
        func submit(_ key: String, _ action: Submission.Action) async throws {
            try await store.submit(
                Submission(chat: home.chat, sender: home.ada, key: key, action: action, time: home.now)
            )
        }
        try await submit("share", .startShare(.random(), ShareWish(keeping: .expiring)))
        let data = try MessageData(Array(#"{"latitude":"59.9","longitude":"10.7"}"#.utf8))
        for number in 1...positions {
            try await submit("\(number)", .message(MessageDraft(tag: .location, data: data)))
        }
        for share in try await store.shares() { try await submit("stop", .stopShare(share.id)) }
    }

    /// Adds messages to a chat that no test reads.
    private func fill(_ store: SQLiteStore, messages: Int) async throws {
        try await store.write { database, _ in
            try database.execute(
                sql: """
                    INSERT INTO message (chat, number, sender, tag, content, time, fingerprint)
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    SELECT 5, i, 1, 'Text', CAST(printf('%0100d', i) AS BLOB), i, i FROM n
                    """,
                arguments: [messages]
            )
        }
    }

    /// The file's pages, and how many the writer has read from it.
    private func counts(_ store: SQLiteStore) async throws -> (pages: Int, read: Int) {
        try await store.file.pool.writeWithoutTransaction { database in
            var (misses, highest): (CInt, CInt) = (0, 0)
            sqlite3_db_status(database.handle, SQLITE_DBSTATUS_CACHE_MISS, &misses, &highest, 0)
            return (try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0, Int(misses))
        }
    }

    private func files() throws -> Data {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: Data()) { bytes, name in
            bytes += try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))
        }
    }
}

/// Counts the steps of SQLite's virtual machine on one connection, in hundreds.
private final class StepCounter: Sendable {
    private let steps = Atomic(0)

    var count: Int { steps.load(ordering: .relaxed) }

    func follow(_ database: Database) {
        sqlite3_progress_handler(
            database.handle,
            100,
            { context in
                guard let context else { return 0 }
                Unmanaged<StepCounter>.fromOpaque(context).takeUnretainedValue().steps.add(
                    1,
                    ordering: .relaxed
                )
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    func end(_ database: Database) {
        sqlite3_progress_handler(database.handle, 0, nil, nil)
    }
}
