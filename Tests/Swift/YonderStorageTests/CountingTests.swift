import Dispatch
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderStorage

struct CountingTests {
    private let folder = TemporaryFolder()

    @Test func `an earlier database is counted once, with what still waits in recent, and counts as read`()
        async throws
    {
        let old = try SQLiteFile(
            folder: folder.path,
            name: "yonder.db",
            migrations: Array(SQLiteStore.migrations.prefix(5))
        )
        try await old.write { database in
            try database.execute(
                sql: """
                    INSERT INTO account (id, name, isOperator, created) VALUES (1, 'Ada', 0, 5), (2, 'Ben', 0, 6);
                    INSERT INTO chat VALUES (7, 0, 'Walk', 3, 8), (8, 0, 'Empty', 1, 9);
                    INSERT INTO participant VALUES (7, 1, 0, 'owner', 0, 1), (7, 2, 1, 'member', 1, 0), (8, 1, 0, 'owner', 0, 1);
                    INSERT INTO span VALUES (7, 1, 1, NULL), (7, 2, 1, 4), (8, 1, 1, NULL);
                    INSERT INTO message VALUES
                        (7, 3, 1, 'Text', x'61', NULL, 13, NULL, 0, x'61', 1), (7, 4, 2, 'Leave', x'', NULL, 14, NULL, 0, x'62', 1),
                        (7, 5, 1, 'own', x'62', NULL, 15, NULL, 1, x'63', 1), (7, 6, 1, 'Location', x'', NULL, 16, NULL, 0, x'64', 1);
                    INSERT INTO recent VALUES
                        (5, 7, 6, 1, 'Location', x'', NULL, 16, NULL, x'64', 1), (6, 7, 7, 1, 'Text', x'63', NULL, 17, NULL, x'65', 1);
                    """
            )
        }
        try old.close()

        let store = try SQLiteStore.open(folder: folder.path)
        let (ada, walk) = (try #require(UserID(1)), try #require(ChatID(7)))
        let answer = try await store.messages(MessageQuery(chat: walk), reader: ada, now: Home.time)
        #expect(answer.messages.map(\.number) == [3, 4, 5, 6, 7])
        #expect(answer.messages.map(\.written) == [1, nil, 2, nil, 3])
        let chats = try await store.chats(of: ada)
        #expect(chats.map(\.subject) == ["Walk", "Empty"] && chats.map(\.written) == [3, 0])
        #expect(chats.map(\.active.milliseconds) == [17, 9])
        let readings = try await store.readings(of: chats, for: nil, now: Home.time)
        #expect(readings[walk]?.positions == [ada: ReadPosition(number: 7, written: 3)])
        #expect(readings[walk]?.newest.map(\.content) == ["c", "a"])
        try store.close()
    }

    @Test func `invariant 5 of ChatWriter: written numbers are the same after the memory was read anew`()
        async throws
    {
        let store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        for number in 1...3 { try await store.submit(home.submission("\(number)", key: "\(number)")) }
        store.file.queue.sync { store.writer.forget() }
        #expect(try await store.submit(home.submission("4", key: "4")).message.written == 4)
        #expect(try await store.submit(home.submission("2", key: "2")).message.written == 2)
        try store.close()
        let again = try SQLiteStore.open(folder: folder.path)
        #expect(try await again.chat(home.chat).written == 4)
        try again.close()
    }
}
