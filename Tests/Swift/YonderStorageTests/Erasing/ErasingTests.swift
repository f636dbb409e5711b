import Foundation
import Synchronization
import TestSupport
import Testing
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

@testable import YonderStorage

struct ErasingTests {
    private let folder = TemporaryFolder()

    @Test func `no byte of a recalled, expired or removed message stays in the files`() async throws {
        let store = try SQLiteStore(folder: folder.path, recentLimit: 200)
        let home = try await Home(store)
        var random = SeededGenerator(seed: 7)
        var markers: [String] = []
        for number in 1...600 {
            let marker = "MARK\(number)-\(random.next())"
            markers.append(marker)
            let size = [20, 20, 300, 4_000, 70_000][number % 97 == 0 ? 4 : number % 4]
            try await store.submit(home.submission(padded(marker, size), key: "\(number)"))
            if number % 50 == 0 { _ = try await store.chat(home.chat) }
        }
        let erased = stride(from: 1, through: 600, by: 3).map { $0 } + Array(1...150)
        for number in Set(erased) where number > 150 { try await recall(number, home, store) }
        try await store.trim(home.chat, below: 151)
        #expect(await store.removeLeftovers())

        let kept = Set(1...600).subtracting(erased)
        let bytes = try filesOfStore()
        for number in Set(erased) {
            #expect(bytes.range(of: Data(markers[number - 1].utf8)) == nil, "message \(number)")
        }
        let query = MessageQuery(chat: home.chat, limit: 10_000)
        let messages = try await store.messages(query, reader: home.bob, now: home.now).messages
        for message in messages where kept.contains(Int(message.logNumber)) {
            #expect(message.content.hasPrefix(markers[Int(message.logNumber) - 1]))
        }
        let finding = try await store.file.pool.read {
            try String.fetchOne($0, sql: "PRAGMA integrity_check")
        }
        #expect(finding == "ok")
        try store.close()
    }

    @Test func `what ends sign-ins, one or all, erases: a round follows, and a full disk doesn't stop it`()
        async throws
    {
        let store = try SQLiteStore(folder: folder.path)
        let home = try await Home(store)
        let isErasing = { store.erasure.withLock { $0.isPending } }
        store.erasure.withLock { $0 = Erasure() }
        try await store.removeCredential(try #require(SecretHash(Array(0..<32))), of: home.ada)
        #expect(isErasing())
        store.erasure.withLock { $0 = Erasure() }
        try await store.removeCredentials(of: home.ada, kinds: [.session], except: nil)
        #expect(isErasing())
        try store.close()
    }

    @Test func `leftovers are found with the scrubber taken away`() async throws {
        // What the scrubber is for: pages that were divided keep copies of cells in their gaps.
        let store = try SQLiteStore(folder: folder.path, recentLimit: 10)
        var homes: [Home] = []
        for _ in 0..<20 { homes.append(try await Home(store)) }
        for number in 1...60 {
            for home in homes {
                try await store.submit(home.submission(padded("LEFT", 150), key: "\(number)"))
                _ = try await store.chat(home.chat)
            }
        }
        try await store.file.carryLog()
        let changed = try store.file.queue.sync { try store.file.truncateLog() }
        #expect(changed > 0)
        // The file itself never has them.
        let inFile = try await store.file.pool.writeWithoutTransaction {
            try PageScrubber($0).scrub(from: 1, limit: .max / 8_192).changed
        }
        #expect(inFile == 0)
        try store.close()
    }

    @Test func `a database of an earlier version is rewritten once, without what it had kept`() async throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let old = try DatabaseQueue(path: "\(folder.path)/yonder.db")
        try old.inDatabase { database in
            try database.execute(sql: "PRAGMA secure_delete = OFF")
            try Array(SQLiteStore.migrations.prefix(3)).migrate(database, named: "yonder.db")
            try database.execute(sql: "INSERT INTO account VALUES (1, 'Ada', NULL, NULL, 'ada', NULL, 1, 0)")
            for number in 1...400 {
                try database.execute(
                    sql:
                        "INSERT INTO message (chat, number, sender, tag, content, time) VALUES (5, ?, 1, 'Text', ?, 0)",
                    arguments: [number, Array(padded("OLD\(number)", 900).utf8)]
                )
            }
            try database.execute(sql: "UPDATE message SET content = x'', isRecalled = 1")
        }
        try old.close()
        #expect(try filesOfStore().range(of: Data("OLD7 ".utf8)) != nil)

        let events = Recorder<StoreEvent>()
        for _ in 1...2 {
            let store = try SQLiteStore.open(folder: folder.path) { events.record($0) }
            #expect(try filesOfStore().range(of: Data("OLD7 ".utf8)) == nil)
            try store.close()
        }
        #expect(events.values.filter { $0 == .cleaned }.count == 1)
    }

    private func padded(_ marker: String, _ size: Int) -> String {
        marker + " " + String(repeating: "\(marker) ", count: max(0, size / (marker.utf8.count + 1) - 1))
    }

    private func recall(_ number: Int, _ home: Home, _ store: SQLiteStore) async throws {
        try await store.submit(
            Submission(
                chat: home.chat,
                sender: home.ada,
                key: "recall \(number)",
                action: .recall(number: Int64(number)),
                time: home.now
            )
        )
    }

    private func filesOfStore() throws -> Data {
        var bytes = Data()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            bytes += try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))
        }
        return bytes
    }
}
