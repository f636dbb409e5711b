import Foundation
import TestSupport
import Testing
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

@testable import YonderStorage

struct OpeningTests {
    private let folder = TemporaryFolder()

    @Test func `a database of a newer program is refused and left alone`() throws {
        try SQLiteStore.open(folder: folder.path).close()
        let newer = SQLiteStore.migrations + [Migration(sql: "CREATE TABLE future (x)")]
        try SQLiteStore(folder: folder.path, migrations: newer).close()
        expectError(.newerVersion) { try SQLiteStore.open(folder: folder.path) }
        try SQLiteStore(folder: folder.path, migrations: newer).close()
    }

    @Test(arguments: [(nil, 64), (96, 6), (16, 2), (512, 32), (4_096, 64)])
    func `the writer keeps a sixteenth of the memory in pages, from 2 to 64 MiB`(mebibytes: Int?, limit: Int)
        throws
    {
        let bytes = SQLiteStore.cacheLimit(within: mebibytes.map { $0 << 20 })
        let store = try SQLiteStore.open(folder: folder.path, cacheLimit: bytes)
        let size = try store.file.pool.writeWithoutTransaction {
            try Int.fetchOne($0, sql: "PRAGMA cache_size")
        }
        // Negative: in KiB instead of pages.
        #expect(size == -(limit << 10))
        try store.close()
    }

    @Test func `a damaged database is refused`() async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        for number in 0..<200 { try await store.submit(home.submission("some text", key: "\(number)")) }
        try store.close()
        let file = URL(filePath: "\(folder.path)/yonder.db")
        var bytes = try Data(contentsOf: file)
        for offset in 8_192..<bytes.count { bytes[offset] = UInt8(truncatingIfNeeded: offset &* 31) }
        try bytes.write(to: file)
        expectError(.corrupt) { try SQLiteStore.open(folder: folder.path) }
    }

    /// What each version brought, with something in it; a new version adds its own here.
    private static let fixtures: [Int: String] = [
        0: "",
        1: """
        INSERT INTO account (id, name, login, isOperator, created) VALUES (1, 'Ada', 'ada', 1, 5), (2, 'Bob', NULL, 0, 6);
        INSERT INTO contact VALUES (1, 2), (2, 1);
        INSERT INTO chat (id, isOneToOne, subject, first, created) VALUES (7, 0, 'Walk', 1, 8);
        INSERT INTO participant (chat, user, place, role, color, isPresent)
            VALUES (7, 1, 0, 'owner', 0, 1), (7, 2, 1, 'member', 1, 1);
        INSERT INTO span VALUES (7, 1, 1, NULL), (7, 2, 1, NULL);
        INSERT INTO message (
            chat, number, sender, tag, content, data, time, expires, isRecalled, key, fingerprint
        ) VALUES (7, 1, 1, 'Text', x'6869', NULL, 9, NULL, 0, x'6B', 4711);
        """,
        2: """
        INSERT INTO entity VALUES (3, 'place', 'anyone', CAST('[{"name":"at","type":"location"}]' AS BLOB), 1, 5, 6);
        INSERT INTO object VALUES (4, 8, 3, 7, 9, 10000000, -5000000,
            CAST('{"at":{"latitude":1,"longitude":-0.5}}' AS BLOB));
        """,
        3: "INSERT INTO signingKey VALUES ('app', '0123456789abcdef', 'An app', 'read', 5);",
        4: "INSERT INTO knownNetwork VALUES (1, '192.0.2.0/24', 5); INSERT INTO leaving VALUES (9);",
        5: "INSERT INTO conflict VALUES (1, 7, 1, 1, 'Text', x'41', NULL, 5, NULL, x'6b', 3);",
        6: "INSERT OR REPLACE INTO reading VALUES (7, 2, 1, 1);",
        7: """
        INSERT INTO share VALUES (5, 7, 1, 5, NULL, NULL, NULL, NULL, 'kept', 1, NULL, 0, NULL, NULL, 0);
        """,
        8: "UPDATE message SET late = 5 WHERE tag = 'Location';",
        9: "INSERT INTO image VALUES (6, 1, 5, 'png', 1, 1, x'89'); INSERT INTO imageUse VALUES (6, 7, 1);",
        10: "INSERT INTO block (user, other) VALUES (1, 2);",
        11: "UPDATE chat SET subjectLocked = 1;",
        12: "UPDATE chat SET positions = 'day';",
        13: "UPDATE account SET password = 'hash' WHERE id = 1;",
        14: "INSERT INTO accountEvent VALUES (1, 5, 'password', 'user', NULL);",
        15: "UPDATE block SET otherName = 'Robert';",
        16: "UPDATE message SET data = NULL WHERE tag = 'Location';",
        17: """
        INSERT INTO participant VALUES (7, 3, 2, 'member', 2, 0, 10, 'Hike'); INSERT INTO span VALUES (7, 3, 1, 1);
        UPDATE share SET after = 9;
        """,
        18: "UPDATE share SET after = 10;",
        19: "UPDATE chat SET stepBack = 1;",
        20: "UPDATE share SET keeping = 'unheard', ending = 'unheard', ended = 9;",
        21: "",
        22: "",
        23: "",
    ]

    @Test(arguments: 0...SQLiteStore.migrations.count)
    func `a database of any earlier version is brought to this one with all that is in it`(version: Int)
        async throws
    {
        let fixtures = try (0...version).map {
            try #require(Self.fixtures[$0], "Version \($0) has no fixture.")
        }
        // The fixtures have the names of before version 21.
        let old = try database(in: folder, version: min(version, 20))
        try await old.write { try $0.execute(sql: fixtures.joined()) }
        try old.close()
        try database(in: folder, version: version).close()

        let store = try SQLiteStore.open(folder: folder.path)
        if version > 0 {
            let (ada, chat) = (try #require(UserID(1)), try #require(ChatID(7)))
            #expect(try await store.account(login: "ada")?.user.name == "Ada")
            #expect(try await store.account(login: "ada")?.version == (version > 12 ? 1 : 0))
            #expect(try await store.chats(of: ada).map(\.subject) == ["Walk"])
            #expect(try await store.chats(of: ada).map(\.isSubjectLocked) == [version > 10])
            #expect(try await store.chats(of: ada).map(\.positions) == [version > 11 ? .day : .forever])
            let now = Home.time
            let answer = try await store.messages(MessageQuery(chat: chat), reader: ada, now: now)
            #expect(answer.messages.map(\.content) == ["hi"])
            guard version < 6 else { return try store.close() }
            #expect(answer.messages.map(\.written) == [1])
            let chats = try await store.chats(of: ada)
            let reading = try await store.readings(of: chats, for: ada, now: now)[chat]
            #expect(
                reading?.positions.values.map(\.self)
                    == Array(repeating: .init(number: 1, written: 1), count: 2)
            )
        }
        if version > 1 {
            let query = ObjectQuery(ObjectSamples.entity("place"))
            let objects = try await store.objects(query, for: .anyone).objects
            #expect(objects.map(\.id) == [ObjectSamples.id(8)])
            #expect(objects.map(\.fields) == [[ObjectSamples.field("at"): ObjectSamples.location(1, -0.5)]])
        }
        if version > 2 {
            let found = try #require(try await store.signingKey("app"))
            #expect(found.key.name == "An app" && found.key.rights == .read)
            #expect(found.secret == SigningSecret("0123456789abcdef"))
        }
        if version > 3 {
            #expect(try await store.knowsNetwork("192.0.2.0/24", of: try #require(UserID(1))))
            #expect(try await store.leaving() == [try #require(UserID(9))])
        }
        if version > 9 {
            let names = try await store.blocked(by: try #require(UserID(1))).map(\.name)
            #expect(names == [version > 14 ? "Robert" : "Bob"])
        }
        if version > 13 {
            let events = try await store.events(of: try #require(UserID(1)))
            #expect(events.map(\.change) == [.password])
        }
        let left = try await store.leftGroups(of: try #require(UserID(3)), limit: 10)
        #expect(left.map(\.subject) == (version > 16 ? ["Hike"] : []))
        if version > 6 {
            #expect(try await store.shares().map(\.user) == [try #require(UserID(1))])
            #expect(try await store.shares().map(\.after) == [version > 17 ? 10 : 0])
        }
        _ = try await Home(store)
        try store.close()
    }

    @Test func `a database without an index or a trigger is refused, and opens after the error's cure`()
        async throws
    {
        for (type, name) in [("INDEX", "messageByKey"), ("TRIGGER", "imageOfRemovedMessage")] {
            let folder = TemporaryFolder()
            try SQLiteStore.open(folder: folder.path).close()
            var settings = DatabaseSettings()
            settings.keepLog()
            let removal = try DatabaseQueue(path: "\(folder.path)/yonder.db", settings: settings)
            try removal.inDatabase { try $0.execute(sql: "DROP \(type) \(name)") }
            try removal.close()
            let error = #expect(throws: StorageError.self) { try SQLiteStore.open(folder: folder.path) }
            let message = try #require(error?.message)
            #expect(error?.code == .corrupt && message.contains(name))
            let parts = message.components(separatedBy: "yonder.db: ")
            let cure = try #require(parts.last?.components(separatedBy: " Then start again").first)
            let mending = try DatabaseQueue(path: "\(folder.path)/yonder.db", settings: settings)
            try mending.inDatabase { try $0.execute(sql: cure) }
            try mending.close()
            let store = try SQLiteStore.open(folder: folder.path)
            #expect(try await store.compareSchema().differences == [])
            try store.close()
        }
    }

    @Test func `every way leads to the same schema`() async throws {
        func schema(_ versions: [Int]) throws -> [String] {
            let folder = TemporaryFolder()
            for version in versions {
                try database(in: folder, version: version).close()
            }
            let store = try SQLiteStore.open(folder: folder.path)
            defer { try? store.close() }
            return try store.file.pool.writeWithoutTransaction {
                try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name")
            }
        }
        let fresh = try schema([])
        #expect(try schema(Array(0...SQLiteStore.migrations.count)) == fresh)
    }

    private func database(in folder: TemporaryFolder, version: Int) throws -> SQLiteFile {
        let migrations = Array(SQLiteStore.migrations[..<version])
        return try SQLiteFile(folder: folder.path, name: "yonder.db", migrations: migrations)
    }

    private func expectError(
        _ code: StorageError.Code,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> SQLiteStore
    ) {
        let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) { _ = try body() }
        #expect(error?.code == code, sourceLocation: sourceLocation)
    }
}
