import Foundation
import GRDB
import TestSupport
import Testing
import YonderSQLite

struct PageScrubberTests {
    @Test func `overwriting unused bytes changes no row of any database`() throws {
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
