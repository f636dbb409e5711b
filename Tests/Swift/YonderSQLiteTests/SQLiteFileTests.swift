import Foundation
import TestSupport
import Testing
import YonderModel
import YonderSQLite

struct SQLiteFileTests {
    private static let migrations = [
        Migration(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;"),
        Migration(sql: "CREATE TABLE mark (value INTEGER NOT NULL) STRICT;"),
    ]

    private let folder = TemporaryFolder()

    @Test func `a folder in use is refused, and free when its file is closed`() throws {
        let first = try open()
        expectError(.inUse) { try open() }
        try first.close()
        try open().close()
    }

    @Test func `a database of a newer program is refused and left alone`() throws {
        let newer = Self.migrations + [Migration(sql: "CREATE TABLE future (x)")]
        try open(newer).close()
        expectError(.newerVersion) { try open() }
        try open(newer).close()
    }

    @Test(arguments: ["no database at all", String(repeating: "SQLite format 4\0", count: 1_000)])
    func `a file that isn't a database is refused`(text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: try folder.made() + "/any.db"))
        expectError(.corrupt) { try open() }
    }

    @Test func `a folder that can't be made is refused`() {
        expectError(.inaccessible) {
            try SQLiteFile(folder: "/dev/null/yonder", name: "any.db", migrations: Self.migrations)
        }
    }

    @Test func `a commit returns after it is on the disk`() throws {
        let file = try open()
        let mode = try file.pool.writeWithoutTransaction { database in
            try (
                Int.fetchOne(database, sql: "PRAGMA synchronous"),
                String.fetchOne(database, sql: "PRAGMA journal_mode")
            )
        }
        #expect(mode.0 == 2 && mode.1 == "wal")
        try file.close()
    }

    @Test func `each step of a migration is applied once`() async throws {
        for count in 0...Self.migrations.count {
            let file = try open(Array(Self.migrations.prefix(count)))
            #expect(try await file.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == count)
            try file.close()
        }
    }

    @Test func `a failed write is undone, marks the file as broken, and the next write reopens it`()
        async throws
    {
        let file = try open()
        await #expect(throws: SharingError.storeFailed) {
            try await file.write { database in
                try database.execute(sql: "INSERT INTO item VALUES (1, 'a'); INSERT INTO nowhere VALUES (1)")
            }
        }
        #expect(file.isBroken)
        try await file.write { try $0.execute(sql: "INSERT INTO item VALUES (2, 'b')") }
        #expect(!file.isBroken)
        #expect(try await file.read { try Int.fetchAll($0, sql: "SELECT id FROM item") } == [2])
        try file.close()
    }

    @Test func `a frozen reader sees a view in place of the table of its name`() async throws {
        let views = """
            CREATE TEMP VIEW item AS SELECT id, text FROM main.item UNION ALL SELECT 9, 'waits';
            """
        let file = try SQLiteFile(
            folder: folder.path,
            name: "any.db",
            migrations: Self.migrations,
            frozenViews: views
        )
        try await file.write { try $0.execute(sql: "INSERT INTO item VALUES (1, 'a')") }
        let ids: @Sendable (Database) throws -> [Int] = { try Int.fetchAll($0, sql: "SELECT id FROM item") }
        #expect(try await file.read(ids) == [1])
        await #expect(throws: SharingError.storeFailed) { try await file.readFrozen(ids) }
        file.markBroken()
        #expect(try await file.readFrozen(ids) == [1, 9])
        #expect(try await file.readFrozen { FrozenReader.owns($0) })
        try file.close()
    }

    @Test func `a database is rewritten until it has the mark`() throws {
        let file = try open()
        func clean() throws -> SQLiteFile.Cleaning {
            try file.queue.sync {
                try file.clean(
                    unless: { try Int.fetchOne($0, sql: "SELECT count(*) FROM mark") == 1 },
                    marking: { try $0.execute(sql: "INSERT INTO mark VALUES (1)") }
                )
            }
        }
        #expect(try clean() == .done)
        #expect(try clean() == .notNeeded)
        try file.close()
    }

    @Test
    func `a step that can't be applied says SQLite's reason, and nothing is changed, the version neither`()
        throws
    {
        let file = try open(Array(Self.migrations.prefix(1)))
        try file.close()
        // The second step is fine, the third isn't: as in a database from which a table was removed.
        let broken = Self.migrations + [Migration(sql: "ALTER TABLE gone ADD COLUMN more INTEGER")]
        let error = #expect(throws: StorageError.self) { try open(broken) }
        #expect(error?.code == .migrationFailed)
        #expect(error?.message.contains("no such table: gone") ?? false)
        #expect(error?.message.contains("version 1") ?? false)
        #expect(!(error?.message.contains("room") ?? true))
        let again = try open(Array(Self.migrations.prefix(1)))
        let version = try again.pool.writeWithoutTransaction {
            try Int.fetchOne($0, sql: "PRAGMA user_version")
        }
        let tables = try again.pool.writeWithoutTransaction {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        }
        #expect(version == 1 && tables == ["item"])
        try again.close()
    }

    @Test(arguments: [false, true])
    func `a start and an end wait for no reader of another program, and what it holds is kept`(
        isErasing: Bool
    )
        async throws
    {
        func open() throws -> SQLiteFile {
            try SQLiteFile(
                folder: folder.path,
                name: "any.db",
                migrations: Self.migrations,
                isErasing: isErasing
            )
        }
        // given a reader behind whose snapshot there is a commit
        var file = try open()
        try await file.write { try $0.execute(sql: "INSERT INTO item VALUES (1, 'a')") }
        var settings = DatabaseSettings()
        settings.isReadOnly = true
        settings.keepLog()
        let reader = try DatabaseQueue(path: file.path, settings: settings)
        func count() throws -> Int? {
            try reader.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") }
        }
        try reader.inDatabase { try $0.execute(sql: "BEGIN") }
        #expect(try count() == 1)
        try await file.write { try $0.execute(sql: "INSERT INTO item VALUES (2, 'b')") }
        // when
        let start = ContinuousClock.now
        try file.close()
        for number in 3...4 {
            file = try open()
            try await file.write {
                try $0.execute(sql: "INSERT INTO item VALUES (?, 'c')", arguments: [number])
            }
            try file.close()
        }
        // then
        #expect(ContinuousClock.now - start < .seconds(8), "The patience of requests is ten seconds.")
        #expect(try count() == 1)
        try reader.close()
        file = try open()
        #expect(try await file.read { try Int.fetchAll($0, sql: "SELECT id FROM item") } == [1, 2, 3, 4])
        try file.close()
        #expect(try FileManager.default.attributesOfItem(atPath: file.path + "-wal")[.size] as? Int ?? 0 == 0)
    }

    private func open(_ migrations: [Migration] = Self.migrations) throws(StorageError) -> SQLiteFile {
        try SQLiteFile(folder: folder.path, name: "any.db", migrations: migrations)
    }

    private func expectError(
        _ code: StorageError.Code,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> SQLiteFile
    ) {
        let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) { _ = try body() }
        #expect(error?.code == code, sourceLocation: sourceLocation)
    }
}
