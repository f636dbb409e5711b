#if Postgres
import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

@testable import YonderLibPQ
@testable import YonderMigration
@testable import YonderPostgreSQL
@testable import YonderStorage

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct MigrationTests {
    @Test(arguments: UInt64(0)..<4)
    func `a folder is the same in a database, and back in a folder, at every port and table by table`(
        _ seed: UInt64
    )
        async throws
    {
        try await TestDatabase.with { database in
            let seeded = try await SeededFolder(seed: seed)
            let before = try await StoreAnswers(folder: seeded.folder.path, at: seeded.now)
            let rows = try await Self.rows(ofFolder: seeded.folder.path)
            for table in MigrationTable.all where table.name != "removed_entity" {
                #expect(rows[table.name]?.isEmpty == false, "\(table.name)")
            }
            let report = try await migrate(.folder(seeded.folder.path), to: database.place)
            #expect(
                report.count == MigrationTable.all.count + 1 && report.allSatisfy { $0.hasSuffix(", equal") }
            )
            try await database.withStore { store in
                let after = try await StoreAnswers(store, at: seeded.now)
                #expect(after == before)
            }
            let copy = TemporaryFolder()
            try await migrate(database.place, to: .folder(copy.path))
            #expect(try await StoreAnswers(folder: copy.path, at: seeded.now) == before)
            #expect(try await Self.rows(ofFolder: copy.path) == rows)
        }
    }

    @Test
    func `a message sent again after the move gets its first number, and a token made before it signs in`()
        async throws
    {
        try await TestDatabase.with { database in
            let seeded = try await SeededFolder(seed: 9)
            try await migrate(.folder(seeded.folder.path), to: database.place)
            try await database.withStore { store in
                #expect(
                    try await store.signIn(seeded.token, kind: .token, at: seeded.now)?.user.id == seeded.ada
                )
                let draft = MessageDraft(tag: .text, content: "zero\0 ☕️")
                let again = seeded.submission(.message(draft), seeded.ada, key: "kept")
                let last = try await store.chat(seeded.group).last
                let acceptance = try await store.submit(again)
                #expect(acceptance.isRepeat && acceptance.message.logNumber <= last)
                let next = seeded.submission(.message(draft), seeded.ada, key: "next")
                #expect(try await store.submit(next).message.number == last + 1)
                let other = ObjectSamples.definition(named: "another")
                let number =
                    try await database.run("SELECT max(number) FROM entity").first.flatMap { Int($0) } ?? 0
                _ = try await store.createEntity(other, by: .owner, at: seeded.now)
                #expect(
                    try await database.run("SELECT number FROM entity WHERE name = 'another'").first.flatMap {
                        Int($0)
                    } ?? 0 > number
                )
            }
        }
    }

    @Test func `a database without a server's tables is no source, and stays without them`() async throws {
        try await TestDatabase.with { database in
            try await database.run("DROP SCHEMA public CASCADE")
            try await database.run("CREATE SCHEMA public")
            await #expect { try await database.place.source() } throws: {
                ($0 as? MigrationError)?.code == .noSource
            }
            #expect(
                try await database.run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == []
            )
        }
    }

    @Test func `no table and no column of either database is forgotten`() async throws {
        try await TestDatabase.with { database in
            let folder = TemporaryFolder()
            let (one, other) = (try FolderEnd.target(folder.path), try await database.end())
            let copied = Set(MigrationTable.all.map(\.name))
            #expect(try await one.tableNames() == copied.union(MigrationTable.leftInFolder))
            #expect(try await other.tableNames() == copied.union(MigrationTable.leftInDatabase))
            await one.close()
            await other.close()
            // An entity's versions begin again, and an object's change is numbered again.
            let left: [String: Set<String>] = [
                "entity": ["version"], "object": ["change"],
            ]
            let store = try SQLiteStore.open(folder: folder.path)
            for table in MigrationTable.all {
                let columns = try await database.run(
                    "SELECT column_name FROM information_schema.columns WHERE table_name = '\(table.name)'"
                )
                let known = Set(table.columns.filter(\.isInDatabase).map(\.name))
                #expect(Set(columns) == known.union(left[table.name] ?? []), "\(table.name)")
                let stored = try await store.file.read { access in
                    var names: Set<String> = []
                    let sql = "SELECT name FROM pragma_table_info('\(table.name)')"
                    try Statement(access, sql).forEachRow { names.insert($0.string(0)) }
                    return names
                }
                #expect(stored == Set(table.columns.filter(\.isInFolder).map(\.name)), "\(table.name)")
            }
            try store.close()
        }
    }

    @Test(arguments: [1, 10, 20])
    func `an interrupted copy leaves a database that servers refuse, saying why`(_ page: Int) async throws {
        try await TestDatabase.with { database in
            let seeded = try await SeededFolder(seed: 3)
            let source = EndThatFails(try await FolderEnd.source(seeded.folder.path), atPage: page)
            let target = try await database.end()
            await #expect(throws: EndThatFails.failure) {
                try await Migration(from: source, to: target) { _ in }.run()
            }
            await source.close()
            await target.close()
            await #expect { try await database.open() } throws: {
                ($0 as? PostgreSQLError)?.code == .incomplete
            }
            await #expect(throws: MigrationError.self) { try await database.place.source() }
        }
    }

    @Test func `an interrupted copy leaves a folder that servers refuse, saying why`() async throws {
        try await TestDatabase.with { database in
            let seeded = try await SeededFolder(seed: 4)
            try await migrate(.folder(seeded.folder.path), to: database.place)
            let folder = TemporaryFolder()
            let source = EndThatFails(try await database.place.source(), atPage: 15)
            let target = try FolderEnd.target(folder.path)
            await #expect(throws: EndThatFails.failure) {
                try await Migration(from: source, to: target) { _ in }.run()
            }
            await source.close()
            await target.close()
            #expect { try SQLiteStore.open(folder: folder.path) } throws: {
                ($0 as? StorageError)?.code == .incomplete
            }
        }
    }

    @Test func `a message that came out different is reported with its chat, and the target stays unusable`()
        async throws
    {
        try await TestDatabase.with { database in
            let seeded = try await SeededFolder(seed: 5)
            let source = try await FolderEnd.source(seeded.folder.path)
            let target = try await database.end()
            let lines = Lines()
            await #expect {
                try await Migration(from: source, to: EndThatChanges(target)) { lines.add($0) }.run()
            } throws: {
                ($0 as? MigrationError)?.code == .different
            }
            await source.close()
            await target.close()
            let chat = try await database.run("SELECT min(chat) FROM message")[0]
            #expect(
                lines.all.contains {
                    $0.hasPrefix("message") && $0.hasSuffix("DIFFERENT in 1 chats: \(chat)")
                }
            )
            #expect(lines.all.filter { $0.contains("DIFFERENT") }.count == 1)
            await #expect(throws: PostgreSQLError.self) { try await database.open() }
        }
    }

    @Test func `a target with rows, and whatever a server uses, is refused and stays as it is`() async throws
    {
        try await TestDatabase.with { database in
            let seeded = try await SeededFolder(seed: 6)
            let folder = MigrationPlace.folder(seeded.folder.path)
            let server = try SQLiteStore.open(folder: seeded.folder.path)
            await expectRefusal(.inUse) { try await folder.source() }
            try server.close()
            await expectRefusal(.noSource) {
                try await MigrationPlace.folder("\(seeded.folder.path)none").source()
            }

            let node = try await database.open()
            await expectRefusal(.inUse) { try await migrate(folder, to: database.place) }
            await node.close()
            let only = try await PostgreSQLStore.open(database.address, for: .alone)
            await expectRefusal(.inUse) { try await database.place.target() }
            await only.close()

            try await migrate(folder, to: database.place)
            await expectRefusal(.notEmpty) { try await migrate(folder, to: database.place) }
            await expectRefusal(.notEmpty) { try await migrate(database.place, to: folder) }
            try await database.withStore { _ in }
            try SQLiteStore.open(folder: seeded.folder.path).close()
        }
    }

    @Test func `a role that owns its database and nothing more is enough`() async throws {
        try await TestDatabase.with { database in
            let role = "owner_of_\(database.name)"
            try await database.server.run("CREATE ROLE \(role) LOGIN")
            try await database.server.run("CREATE DATABASE \(role) OWNER \(role)")
            let place = MigrationPlace.database(
                "postgres://\(role)@127.0.0.1:\(database.server.port)/\(role)?sslmode=disable"
            )
            let seeded = try await SeededFolder(seed: 7)
            let report = try await migrate(.folder(seeded.folder.path), to: place)
            #expect(
                report.count == MigrationTable.all.count + 1 && report.allSatisfy { $0.hasSuffix(", equal") }
            )
            #expect(
                try await database.server.run(
                    "SELECT count(*) FROM pg_class WHERE relname = 'message' AND reltuples > 0",
                    in: role
                ) == ["1"]
            )
        }
    }

    /// All rows of a folder by their tables.
    private static func rows(ofFolder path: String) async throws -> [String: [[Cell]]] {
        let end = try await FolderEnd.source(path)
        var rows: [String: [[Cell]]] = [:]
        for table in MigrationTable.all {
            rows[table.name] = try await end.rows(of: table, after: nil, limit: 100_000)
        }
        for table in MigrationTable.all where ["entity", "object"].contains(table.name) {
            rows["highest \(table.name)"] = [[.int(try await end.highestNumber(of: table))]]
        }
        await end.close()
        return rows
    }
}

/// Copies from one place to another one, as the command does.
///
/// - Returns: The report.
@discardableResult
private func migrate(_ one: MigrationPlace, to other: MigrationPlace) async throws -> [String] {
    let source = try await one.source()
    let lines = Lines()
    do {
        let target = try await other.target()
        do {
            try await Migration(from: source, to: target) { lines.add($0) }.run()
        } catch {
            await target.close()
            throw error
        }
        await target.close()
    } catch {
        await source.close()
        throw error
    }
    await source.close()
    return lines.all
}

/// Expects a migration's refusal.
private func expectRefusal<Value>(
    _ code: MigrationError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    await #expect(sourceLocation: sourceLocation) { _ = try await body() } throws: {
        ($0 as? MigrationError)?.code == code
    }
}

private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock(\.self) }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

extension TestDatabase {
    var address: PostgreSQLAddress {
        get throws { try PostgreSQLAddress(server.address(of: name)) }
    }

    /// The address as an operator writes it.
    var place: MigrationPlace {
        .database("postgres://yonder@127.0.0.1:\(server.port)/\(name)?sslmode=disable")
    }

    func end() async throws -> DatabaseEnd { try await .target(address) }
}

extension StoreAnswers {
    /// The answers of a folder's store.
    init(folder: String, at now: Timestamp) async throws {
        let store = try SQLiteStore.open(folder: folder)
        self = try await StoreAnswers(store, at: now)
        try store.close()
    }
}

extension ObjectSamples {
    fileprivate static func definition(named name: StaticString) -> EntityDefinition {
        EntityDefinition(entity(name), fields: [])
    }
}
#endif
