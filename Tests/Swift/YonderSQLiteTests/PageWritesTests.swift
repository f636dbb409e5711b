import Foundation
import TestSupport
import Testing

@testable import YonderSQLite

struct PageWritesTests {
    private let folder = TemporaryFolder()

    @Test(arguments: UInt64(0)..<4)
    func `a checkpoint brings no leftovers into the file, and changes no row`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (queue, writes) = try open("any.db", isVacuumed: seed % 2 == 1)
        try queue.inDatabase { try Rows.create(in: $0) }
        for _ in 0..<6 {
            try queue.inDatabase { database in
                for _ in 0..<50 { try Rows.change(database, using: &random) }
                try database.checkpoint(.truncate)
                #expect(try PageScrubber(database).scrub(from: 1, limit: .max).changed == 0, "seed \(seed)")
            }
        }
        let rows = try queue.read { try Rows.all($0) }
        #expect(writes.scrubbedCount > 0)
        try queue.close()
        let reopened = try DatabaseQueue(path: "\(folder.path)/any.db")
        #expect(try reopened.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        #expect(try reopened.read { try Rows.all($0) } == rows)
    }

    @Test func `without it a checkpoint brings leftovers into the file`() throws {
        var random = SeededGenerator(seed: 0)
        let queue = try DatabaseQueue(path: "\(folder.made())/any.db")
        try queue.inDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON")
            try Rows.create(in: database)
            for _ in 0..<300 { try Rows.change(database, using: &random) }
            try database.checkpoint(.truncate)
            #expect(try PageScrubber(database).scrub(from: 1, limit: .max).changed > 0)
        }
    }

    @Test func `a page that may be an overflow page in a file of its size stays as it is, and is counted`() {
        // A page of an index without freeblocks and with 3 cells; as an overflow page it names page 0x02000000 as the next.
        var page = [UInt8](repeating: 0, count: 512)
        page.replaceSubrange(0..<8, with: [2, 0, 0, 0, 3, 1, 200, 0])
        page[7] = 0
        for (place, cell) in [(12, 500), (14, 480), (16, 456)] {
            page[place] = UInt8(cell >> 8)
            page[place + 1] = UInt8(cell & 255)
        }
        page[300] = 77
        for (pages, expected) in [
            (Int64(0x01FF_FFFF), PageLayout.Outcome.scrubbed), (0x0200_0000, .unsure), (0x7FFF_FFFF, .unsure),
        ] {
            var copy = page
            let outcome = copy.withUnsafeMutableBytes {
                PageLayout(pageLimit: pages, hasPointerMap: false).scrub($0, number: 7)
            }
            #expect(outcome == expected)
            #expect(copy[300] == (expected == .scrubbed ? 0 : 77))
        }
    }

    @Test func `a page with a cell outside of its cells stays as it is`() {
        var page = [UInt8](repeating: 9, count: 512)
        page.replaceSubrange(0..<10, with: [13, 0, 0, 0, 1, 1, 200, 0, 0, 90])
        let before = page
        let outcome = page.withUnsafeMutableBytes {
            PageLayout(pageLimit: 100, hasPointerMap: false).scrub($0, number: 7)
        }
        #expect(outcome == .unsure && page == before)
    }

    private func open(_ name: String, isVacuumed: Bool) throws -> (DatabaseQueue, PageWrites) {
        let path = "\(try folder.made())/\(name)"
        let writes = PageWrites(path: path)
        var settings = DatabaseSettings()
        settings.prepare { database in
            try writes.follow(database)
            if isVacuumed { try database.execute(sql: "PRAGMA auto_vacuum = FULL") }
            try database.execute(
                sql: "PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 0"
            )
        }
        return (try DatabaseQueue(path: path, settings: settings), writes)
    }
}

/// Tables whose pages are divided, joined and freed.
enum Rows {
    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE a (id INTEGER PRIMARY KEY, x BLOB); CREATE INDEX byX ON a (x);
                CREATE TABLE b (k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID;
                """
        )
    }

    static func change(_ database: Database, using random: inout SeededGenerator) throws {
        let size = [3, 40, 700, 9_000].randomElement(using: &random) ?? 3
        let bytes = (0..<size).map { _ in UInt8.random(in: 1...255, using: &random) }
        let digit = Int.random(in: 0..<7, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try database.execute(sql: "INSERT INTO a (x) VALUES (?)", arguments: [bytes])
        case 1:
            try database.execute(
                sql: "INSERT OR REPLACE INTO b VALUES (?, ?)",
                arguments: [Array(bytes.prefix(9)), bytes]
            )
        case 2: try database.execute(sql: "DELETE FROM a WHERE id % 7 = ?", arguments: [digit])
        default: try database.execute(sql: "UPDATE a SET x = ? WHERE id % 7 = ?", arguments: [bytes, digit])
        }
    }

    static func all(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT quote(id) || quote(x) AS content FROM a UNION ALL SELECT quote(k) || quote(v) FROM b ORDER BY content
                """
        )
    }
}
