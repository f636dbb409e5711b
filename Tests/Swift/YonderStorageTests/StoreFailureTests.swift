import Foundation
import Synchronization
import TestSupport
import Testing
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderStorage

/// A disk that is full is simulated by a database that mustn't grow; `Tests/Python/Faults` has real failures of each call.
struct StoreFailureTests {
    private let folder = TemporaryFolder()
    private let events = Recorder<StoreEvent>()

    @Test
    func
        `invariants 1 and 4 of ChatWriter: after any number of failures, acknowledged messages stay and keep their numbers`()
        async throws
    {
        for failures in 1...5 {
            let folder = TemporaryFolder()
            let disk = FullDisk()
            var store = try open(folder, disk)
            let home = try await Home(store)
            var acknowledged = try await send(home, 1...30, to: store)
            try await disk.fill(store)
            for failure in 0..<failures {
                await expectFailure {
                    try await send(home, 100 + failure...100 + failure, size: 90_000, to: store)
                }
                try await expectAll(acknowledged, home, in: store)
                #expect(try await store.chat(home.chat).last == Int64(acknowledged.count))
            }
            try await disk.free(store)
            try await waitUntilHealthy(store)
            acknowledged += try await send(home, 31...40, to: store)
            #expect(Set(acknowledged.map(\.number)).count == acknowledged.count)
            // Sent again with its key, what was refused gets one number.
            acknowledged += try await send(home, 100...100, size: 90_000, to: store)
            try await expectAll(acknowledged, home, in: store)
            try store.close()
            store = try SQLiteStore.open(folder: folder.path)
            try await expectAll(acknowledged, home, in: store)
            try store.close()
        }
    }

    @Test
    func
        `invariant 2 of ChatWriter: while nothing can be written every reader sees messages that aren't moved yet`()
        async throws
    {
        let disk = FullDisk()
        let store = try open(folder, disk)
        let home = try await Home(store)
        let acknowledged = try await send(home, 1...400, size: 3_000, to: store)
        try await disk.fill(store)
        await expectFailure { try await send(home, 1_000...1_000, size: 90_000, to: store) }
        // Moving them needs more pages than there are.
        try await expectAll(acknowledged, home, in: store)
        #expect(try await store.chats(of: home.bob).map(\.last) == [400])
        #expect(
            try await store.message(.init(chat: home.chat, number: 7), reader: home.bob, now: home.now).number
                == 7
        )
        #expect(try await store.lastLocations(in: home.chat, of: nil, now: home.now).messages.isEmpty)
        try await disk.free(store)
        try await waitUntilHealthy(store)
        try await expectAll(acknowledged, home, in: store)
        try store.close()
    }

    @Test func `the first failure and the recovery are reported once each`() async throws {
        let disk = FullDisk()
        let store = try open(folder, disk)
        let home = try await Home(store)
        try await disk.fill(store)
        for number in 1...3 {
            await expectFailure { try await send(home, number...number, size: 200_000, to: store) }
        }
        try await disk.free(store)
        try await waitUntilHealthy(store)
        let codes = events.values.compactMap { if case .failed(let code) = $0 { code } else { nil } }
        #expect(codes.count == events.values.filter { $0 == .recovered }.count)
        #expect(codes.first?.contains("database or disk is full") == true)
        #expect(events.values.last == .recovered)
        try store.close()
    }

    @Test
    func
        `invariants 3 and 6 of ChatWriter: a refusal that undoes what was moved for it leaves the memory right`()
        async throws
    {
        let store = try SQLiteStore(folder: folder.path, recentLimit: 10)
        let home = try await Home(store)
        for number in 1...50 {
            try await store.submit(home.submission("\(number)", key: "\(number)"))
            await #expect(throws: SharingError.self) {
                try await store.start(ChatStart(creator: home.ada, invitees: [.random()]), at: home.now)
            }
            await #expect(throws: SharingError.self) {
                try await store.submit(
                    Submission(
                        chat: home.chat,
                        sender: home.ada,
                        key: "r\(number)",
                        action: .recall(number: 999),
                        time: home.now
                    )
                )
            }
        }
        #expect(try await store.chat(home.chat).last == 50)
        #expect(await store.isHealthy())
        try store.close()
    }

    @Test func `a conflict between different rows is kept apart and reported`() async throws {
        let old = try SQLiteFile(
            folder: folder.path,
            name: "yonder.db",
            migrations: Array(SQLiteStore.migrations.prefix(4))
        )
        try await old.write { database in
            try database.execute(
                sql: """
                    INSERT INTO chat VALUES (7, 0, 'Walk', 1, 8);
                    INSERT INTO message VALUES (7, 1, 1, 'Text', x'41', NULL, 9, NULL, 0, x'61', 4711);
                    INSERT INTO recent VALUES (99, 7, 1, 1, 'Text', CAST('second' AS BLOB), NULL, 9, NULL, x'62', 5);
                    """
            )
        }
        try old.close()
        let store = try open(folder, FullDisk())
        #expect(events.values.contains(.conflicts(1)))
        let kept = try await store.file.pool.read { database in
            try String.fetchOne(database, sql: "SELECT CAST(content AS TEXT) FROM conflict")
        }
        #expect(kept == "second")
        let chat = try await store.chat(try #require(ChatID(7)))
        #expect(chat.last == 1 && chat.written == 1)
        try store.close()
    }

    private func open(_ folder: TemporaryFolder, _ disk: FullDisk) throws -> SQLiteStore {
        try SQLiteStore(folder: folder.path, tune: { try disk.apply($0) }, report: { events.record($0) })
    }

    private func send(_ home: Home, _ numbers: ClosedRange<Int>, size: Int = 20, to store: SQLiteStore)
        async throws
        -> [Message]
    {
        var messages: [Message] = []
        for number in numbers {
            let text = "\(number) " + String(repeating: "x", count: min(size, 60_000))
            messages.append(try await store.submit(home.submission(text, key: "\(number)")).message)
        }
        return messages
    }

    private func expectFailure(_ body: () async throws -> some Any) async {
        await #expect(throws: SharingError.storeFailed) { _ = try await body() }
    }

    private func expectAll(_ acknowledged: [Message], _ home: Home, in store: SQLiteStore) async throws {
        let query = MessageQuery(chat: home.chat, limit: 10_000)
        let found = try await store.messages(query, reader: home.bob, now: home.now).messages
        #expect(found == acknowledged.sorted { $0.logNumber < $1.logNumber })
    }

    private func waitUntilHealthy(_ store: SQLiteStore) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while await !store.isHealthy() {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
    }
}

/// A limit on how large the database may become, kept when it is opened anew.
private final class FullDisk: Sendable {
    private let limit = Mutex<Int?>(nil)

    func apply(_ database: Database) throws {
        guard let pages = limit.withLock({ $0 }) else { return }
        try database.execute(sql: "PRAGMA max_page_count = \(pages)")
    }

    func fill(_ store: SQLiteStore) async throws {
        let pages = try await store.file.pool.writeWithoutTransaction {
            try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0
        }
        limit.withLock { $0 = pages }
        try await store.file.pool.writeWithoutTransaction(apply)
    }

    func free(_ store: SQLiteStore) async throws {
        limit.withLock { $0 = 1_000_000 }
        try await store.file.pool.writeWithoutTransaction(apply)
    }
}
