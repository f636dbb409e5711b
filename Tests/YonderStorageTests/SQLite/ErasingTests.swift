import Foundation
import GRDB
import TestSupport
import Testing
import YonderModel

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
        for message in messages where kept.contains(Int(message.number)) {
            #expect(message.content.hasPrefix(markers[Int(message.number) - 1]))
        }
        let finding = try await store.file.pool.read {
            try String.fetchOne($0, sql: "PRAGMA integrity_check")
        }
        #expect(finding == "ok")
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
        try await store.file.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        let changed = try await store.file.pool.writeWithoutTransaction {
            try PageScrubber($0).scrub(from: 1, limit: .max / 8_192).changed
        }
        #expect(changed > 0)
        try store.close()
    }

    @Test func `overwriting what holds no content changes no row of any database`() throws {
        for seed in UInt64(0)..<6 {
            var random = SeededGenerator(seed: seed)
            let folder = TemporaryFolder()
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            let queue = try DatabaseQueue(path: "\(folder.path)/any.db")
            try queue.write { try Self.fill($0, using: &random) }
            let before = try queue.read(Self.rows)
            try queue.inDatabase { database in
                var place: Int64? = 1
                while let first = place {
                    place = try PageScrubber(database).scrub(from: first, limit: 7).next
                }
                database.releaseMemory()
            }
            let reopened = try DatabaseQueue(path: "\(folder.path)/any.db")
            #expect(try reopened.read(Self.rows) == before, "seed \(seed)")
            #expect(try reopened.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
            var again = 0
            try queue.inDatabase { again = try PageScrubber($0).scrub(from: 1, limit: 1_000_000).changed }
            #expect(again == 0)
        }
    }

    @Test func `bytes that aren't a page of a b-tree stay as they are`() {
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            var page = (0..<512).map { _ in UInt8.random(in: 0...255, using: &random) }
            page[0] = [0, 1, 2, 5, 10, 13, 255].randomElement(using: &random) ?? 0
            let before = page
            let changed = PageScrubber.scrub(&page, isFirst: false)
            if ![2, 5, 10, 13].contains(before[0]) { #expect(!changed && page == before) }
            #expect(page.count == 512)
        }
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
                    arguments: [number, Data(padded("OLD\(number)", 900).utf8)]
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

    private static func fill(_ database: Database, using random: inout SeededGenerator) throws {
        try database.execute(
            sql: "CREATE TABLE a (id INTEGER PRIMARY KEY, x BLOB); CREATE INDEX byX ON a (x);"
        )
        try database.execute(
            sql: "CREATE TABLE b (k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID; PRAGMA secure_delete = OFF"
        )
        for step in 0..<300 {
            let size = [3, 40, 700, 9_000].randomElement(using: &random) ?? 3
            let bytes = Data((0..<size).map { _ in UInt8.random(in: 1...255, using: &random) })
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try database.execute(sql: "INSERT INTO a (x) VALUES (?)", arguments: [bytes])
            case 1:
                try database.execute(
                    sql: "INSERT OR REPLACE INTO b VALUES (?, ?)",
                    arguments: [bytes.prefix(9), bytes]
                )
            case 2: try database.execute(sql: "DELETE FROM a WHERE id % 7 = ?", arguments: [step % 7])
            default:
                try database.execute(
                    sql: "UPDATE a SET x = ? WHERE id % 5 = ?",
                    arguments: [bytes, step % 5]
                )
            }
        }
    }

    private static func rows(_ database: Database) throws -> [Row] {
        try Row.fetchAll(
            database,
            sql: "SELECT id, x, 0 FROM a UNION ALL SELECT 0, k, v FROM b ORDER BY 1, 2, 3"
        )
    }
}
