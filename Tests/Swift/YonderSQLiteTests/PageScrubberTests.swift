import CSQLite
import Foundation
import TestSupport
import Testing

@testable import YonderSQLite

struct PageScrubberTests {
    @Test func `overwriting unused bytes changes no row of any database`() throws {
        for seed in UInt64(0)..<6 {
            var random = SeededGenerator(seed: seed)
            let folder = TemporaryFolder()
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            let queue = try DatabaseQueue(path: "\(folder.path)/any.db")
            try queue.write { database in
                try database.execute(sql: "PRAGMA secure_delete = OFF")
                try Rows.create(in: database)
                for _ in 0..<300 { try Rows.change(database, using: &random) }
            }
            let before = try queue.read(Rows.all)
            try queue.inDatabase { database in
                var place: Int64? = 1
                while let first = place {
                    place = try PageScrubber(database).scrub(from: first, limit: 7).next
                }
                sqlite3_db_release_memory(database.handle)
            }
            let reopened = try DatabaseQueue(path: "\(folder.path)/any.db")
            #expect(try reopened.read(Rows.all) == before, "seed \(seed)")
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
            let outcome = page.withUnsafeMutableBytes {
                PageLayout(pageLimit: 100, hasPointerMap: false).scrub($0, number: 2)
            }
            if ![2, 5, 10, 13].contains(before[0]) { #expect(outcome == .clean) }
            if outcome != .scrubbed { #expect(page == before) }
        }
    }
}
