import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderStorage

/// Logs of versions before times grew with their numbers.
struct HistoryByTimeTests {
    private let folder = TemporaryFolder()

    @Test func `after a clock that went back an hour in mid-log, history by time equals a full scan`()
        async throws
    {
        let store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        let logs = (UInt64(0)..<1_000).map { OldLog(seed: $0) }
        try await store.file.write { database in
            for log in logs { try log.insert(of: home.ada, into: database) }
            // The step has the column's name of then.
            let step = SQLiteStore.steppingBack.replacing("stepBack", with: "step_back")
            try database.execute(sql: step)
        }
        for log in logs {
            try await store.file.read { database in
                for bounds in log.bounds {
                    let filter = MessageFilter(
                        chat: log.chat,
                        tag: .location,
                        from: bounds.lowerBound,
                        to: bounds.upperBound
                    )
                    let reader = try MessageReader(log.chat, reader: home.ada, now: home.now, in: database)
                    let found = try reader.answer(after: 0, filter, or: [], limit: 1_000).messages.map(
                        \.number
                    )
                    #expect(found == log.numbers(in: bounds), "seed \(log.seed)")
                }
            }
        }
        try store.close()
    }

    @Test func `a folder of before learns how far its times step back, those of waiting messages among them`()
        async throws
    {
        let old = try SQLiteFile(
            folder: folder.path,
            name: "yonder.db",
            migrations: Array(SQLiteStore.migrations[..<18])
        )
        try await old.write { try $0.execute(sql: Self.before) }
        try old.close()
        let store = try SQLiteStore.open(folder: folder.path)
        let steps = try await store.file.read { database in
            try Int64.fetchAll(database, sql: "SELECT step_back FROM chat ORDER BY id")
        }
        #expect(steps == [3_600, 0])
        let (ada, chat) = (try #require(UserID(1)), try #require(ChatID(7)))
        let query = MessageQuery(chat: chat, from: Timestamp(milliseconds: 9_000))
        let found = try await store.messages(query, reader: ada, now: Home.time)
        #expect(found.messages.map(\.number) == [2, 4])
        try store.close()
    }

    /// Two chats of version 18; the first one's clock went back before number 3, which waits to be moved.
    private static let before = """
        INSERT INTO account (id, name, login, isOperator, created) VALUES (1, 'Ada', 'ada', 1, 5);
        INSERT INTO chat (id, isOneToOne, subject, first, created) VALUES (7, 0, 'Walk', 1, 8), (8, 0, 'Run', 1, 8);
        INSERT INTO participant (chat, user, place, role, color, isPresent)
            VALUES (7, 1, 0, 'owner', 0, 1), (8, 1, 0, 'owner', 0, 1);
        INSERT INTO span VALUES (7, 1, 1, NULL), (8, 1, 1, NULL);
        INSERT INTO message (chat, number, sender, tag, content, time) VALUES
            (7, 1, 1, 'Text', x'41', 8000), (7, 2, 1, 'Text', x'41', 9600),
            (8, 1, 1, 'Text', x'41', 8000), (8, 2, 1, 'Text', x'41', 9600);
        INSERT INTO recent (id, chat, number, sender, tag, content, time, key, fingerprint) VALUES
            (1, 7, 3, 1, 'Text', x'41', 6000, x'61', 1), (2, 7, 4, 1, 'Text', x'41', 9700, x'62', 2);
        """
}

/// A chat of sixty positions whose clock goes back up to an hour.
private struct OldLog {
    let seed: UInt64
    let chat: ChatID
    let times: [Int64]
    let bounds: [Range<Timestamp>]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        chat = .random()
        var clock = Home.time.milliseconds
        let turn = Int.random(in: 5..<55, using: &random)
        times = (0..<60).map { place in
            clock += Int64.random(in: 0...300_000, using: &random)
            if place == turn { clock -= Int64.random(in: 0...3_600_000, using: &random) }
            return clock
        }
        let all = (times.min() ?? 0)...(times.max() ?? 0)
        bounds = (0..<3).map { _ in
            let ends = (0..<2).map { _ in Int64.random(in: all, using: &random) }.sorted()
            return Timestamp(milliseconds: ends[0])..<Timestamp(milliseconds: ends[1])
        }
    }

    func numbers(in bounds: Range<Timestamp>) -> [Int64] {
        times.indices.filter { bounds.contains(Timestamp(milliseconds: times[$0])) }.map { Int64($0) + 1 }
    }

    func insert(of sender: UserID, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO chat (id, one_to_one, subject, first, created) VALUES (?1, 0, '', 1, 8);
                """,
            arguments: [chat.rawValue]
        )
        try database.execute(
            sql: """
                INSERT INTO participant (chat, person, place, role, color, is_present) VALUES (?, ?, 0, 'owner', 0, 1);
                """,
            arguments: [chat.rawValue, sender.rawValue]
        )
        try database.execute(
            sql: "INSERT INTO span VALUES (?, ?, 1, NULL)",
            arguments: [chat.rawValue, sender.rawValue]
        )
        for (place, time) in times.enumerated() {
            try database.execute(
                sql: """
                    INSERT INTO message (chat, number, sender, tag, content, data, time)
                    VALUES (?, ?, ?, 'Location', x'', x'7B7D', ?)
                    """,
                arguments: [chat.rawValue, place + 1, sender.rawValue, time]
            )
        }
    }
}
