#if Postgres
import Foundation
import TestSupport
import Testing
import YonderTables

@testable import YonderLibPQ
@testable import YonderMigration
@testable import YonderPostgreSQL

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct MigrationInterruptionTests {
    /// Each how manieth statement is tried: `CUT_EACH=1` for all of them.
    private static let step = ProcessInfo.processInfo.environment["CUT_EACH"].flatMap { Int($0) } ?? 17

    @Test(arguments: [true, false])
    func
        `a copy that was cut off at any statement and is begun again ends whole, or is refused with a sentence`(
            hasTables: Bool
        ) async throws
    {
        let seeded = try await SeededFolder(seed: 3)
        let folder = try await FolderEnd.source(seeded.folder.path)
        let rows = try await RowsEnd(folder)
        await folder.close()
        try await withThrowingTaskGroup(of: Void.self) { killed in
            let all = try await TestDatabase.with { database in
                let proxy = try CuttingProxy(to: database.server.port)
                if !hasTables { try await database.removeTables() }
                try await copy(rows, into: database, through: proxy.port)
                proxy.end()
                return proxy.statements
            }
            var ends = (whole: 0, refused: 0)
            for last in stride(from: 0, to: all, by: hasTables ? Self.step : 2 * Self.step) {
                try await TestDatabase.with { database in
                    if !hasTables { try await database.removeTables() }
                    let proxy = try CuttingProxy(to: database.server.port)
                    proxy.stop(after: last)
                    // It notices the lost connections only after a while, as a killed process never does.
                    killed.addTask { _ = try? await copy(rows, into: database, through: proxy.port) }
                    await proxy.stopped()
                    do {
                        try await copy(rows, into: database, through: database.server.port)
                        ends.whole += 1
                        try await expectWhole(database, rows)
                    } catch let error as MigrationError {
                        ends.refused += 1
                        #expect(error.code == .notEmpty, "\(last): \(error)")
                        try await expectUnusableOrWhole(database, rows)
                    }
                }
            }
            #expect(ends.whole > 0 && ends.refused > 0)
            try await killed.waitForAll()
        }
    }

    @Test
    func
        `a database that an earlier version has left without indexes gets them, and none is called equal without`()
        async throws
    {
        let seeded = try await SeededFolder(seed: 3)
        let folder = try await FolderEnd.source(seeded.folder.path)
        let rows = try await RowsEnd(folder)
        await folder.close()
        try await TestDatabase.with { database in
            // As its first run left it: the mark, the indexes that were there noted, and some of them dropped.
            try await database.run("UPDATE schema SET is_incomplete = true")
            try await database.run("CREATE TABLE migrated_index (name text, definition text)")
            try await database.run("DROP INDEX message_by_key, message_by_tag")
            try await copy(rows, into: database, through: database.server.port)
            try await expectWhole(database, rows)
        }
        for loss in [
            "DROP INDEX message_by_key", "ALTER TABLE chat DROP CONSTRAINT chat_pkey",
            "ALTER TABLE account ALTER COLUMN name DROP NOT NULL", "DROP TABLE pace",
            "ALTER TABLE chat ALTER COLUMN step_back DROP DEFAULT",
            "DROP TRIGGER image_of_removed_use ON image_use",
        ] {
            try await TestDatabase.with { database in
                let target = try await database.end()
                try await target.begin()
                try await target.complete(numbers: [:])
                #expect(try await target.compareSchema().differences == [])
                try await database.run(loss)
                #expect(try await target.compareSchema().differences.count > 0, "\(loss)")
                await target.close()
            }
        }
    }

    private func copy(_ rows: RowsEnd, into database: TestDatabase, through port: Int) async throws {
        let target = try await MigrationPlace.database(
            "postgres://yonder@127.0.0.1:\(port)/\(database.name)?sslmode=disable"
        ).target()
        do {
            try await Migration(from: rows, to: target) { _ in }.run()
        } catch {
            await target.close()
            throw error
        }
        await target.close()
    }

    private func expectWhole(_ database: TestDatabase, _ rows: RowsEnd) async throws {
        try await database.withStore { _ in }
        let end = try await database.end()
        #expect(try await end.compareSchema().differences == [])
        let copy = try await RowsEnd(end)
        await end.close()
        #expect(copy.tables == rows.tables && copy.numbers == rows.numbers)
    }

    /// After the copy was cut off at its very last statement, the database may be used already.
    private func expectUnusableOrWhole(_ database: TestDatabase, _ rows: RowsEnd) async throws {
        do {
            try await database.withStore { _ in }
        } catch let error as PostgreSQLError {
            #expect(error.code == .incomplete)
            return
        }
        try await expectWhole(database, rows)
    }
}

extension TestDatabase {
    /// Makes the database one in which no server has made its tables.
    fileprivate func removeTables() async throws {
        try await run("DROP SCHEMA public CASCADE")
        try await run("CREATE SCHEMA public")
    }
}
#endif
