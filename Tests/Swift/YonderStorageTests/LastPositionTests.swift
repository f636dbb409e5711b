import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderStorage

struct LastPositionTests {
    private let folder = TemporaryFolder()

    @Test func `the last positions of a sender are found by an index that has no emptied position`()
        async throws
    {
        let store = try SQLiteStore.open(folder: folder.path)
        let plans = try await store.file.read { database in
            [
                try Self.plan(MessageRow.lastOnTimeQuery(isIndexed: true), database),
                try Self.plan(MessageRow.newestLateQuery(isIndexed: true), database),
            ]
        }
        #expect(
            plans == [
                ["SEARCH message USING INDEX messageByPosition (chat=? AND sender=? AND late=?)"],
                ["SEARCH message USING INDEX messageByPosition (chat=? AND sender=? AND late>?)"],
            ]
        )
        try store.close()
    }

    @Test func `behind thousands of emptied positions the last one is found, and none where all are emptied`()
        async throws
    {
        let store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
        let draft = MessageDraft(
            tag: .location,
            data: MessageData(position: Position(coordinate: coordinate, timestamp: home.now))
        )
        let submission = Submission(
            chat: home.chat,
            sender: home.ada,
            key: "1",
            action: .message(draft),
            time: home.now
        )
        try await store.submit(submission)
        try await store.settle()
        try await store.file.write { database in
            for number in 2...6_001 {
                let sender = number.isMultiple(of: 2) ? home.ada : home.bob
                let late = number > 3_000 ? number : nil
                try database.execute(
                    sql: """
                        INSERT INTO message (chat, number, sender, tag, content, time, late)
                        VALUES (?, ?, ?, 'Location', x'', 1, ?)
                        """,
                    arguments: [home.chat.rawValue, number, sender.rawValue, late]
                )
            }
        }
        let found = try await store.lastLocations(in: home.chat, of: nil, now: home.now)
        #expect(found.chat.last == 6_001 && found.messages.map(\.number) == [1])
        try store.close()
    }

    private static func plan(_ sql: String, _ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "EXPLAIN QUERY PLAN \(sql.replacing(/\?[0-9]+/, with: "1"))",
            column: 3
        )
    }
}
