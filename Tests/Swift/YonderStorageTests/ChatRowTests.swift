import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

@testable import YonderStorage

struct ChatRowTests {
    private let folder = TemporaryFolder()

    @Test func `a chat is read by indexes alone, however many messages it has`() async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        let steps = try await store.file.read { database in
            try Self.plan(ChatRow.indexedQuery, database)
        }
        let searches = steps.filter { $0.hasPrefix("SEARCH") }
        #expect(searches.count == 8 && !steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
        #expect(searches.count { $0.contains("messageByTag (chat=? AND tag=?)") } == 4, "\(steps)")
        #expect(searches.count { $0.contains("messageByWriting (chat=?)") } == 2, "\(steps)")
        try store.close()
    }

    @Test func `a page of chats is read by indexes alone`() async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        let (page, newest) = try await store.file.read { database in
            (
                try Self.plan(ChatRow.pageQuery(isIndexed: true), database),
                try Self.plan(ReadingRow.newestQuery(isIndexed: true), database)
            )
        }
        #expect(page.contains { $0.contains("participantByUser (person=?)") }, "\(page)")
        #expect(page.count { $0.contains("messageByTag (chat=? AND tag=?)") } == 4, "\(page)")
        #expect(page.count { $0.contains("messageByWriting (chat=?)") } == 2, "\(page)")
        let scans = page.filter { $0.hasPrefix("SCAN") }
        #expect(scans.count == 2 && scans.allSatisfy { !$0.contains("message") }, "\(page)")
        #expect(newest.contains { $0.contains("messageByWriting (chat=? AND number>?)") }, "\(newest)")
        try store.close()
    }

    @Test func `a list of chats is read with the same number of statements, however many chats it has`()
        async throws
    {
        let meter = StatementMeter()
        let store = try SQLiteStore(folder: folder.path, observe: { meter.follow($0) })
        let home = try await Home(store)
        for count in [1, 40] {
            for number in 0..<count {
                let wish = ChatStart(creator: home.ada, invitees: [home.bob], subject: "\(number)")
                let chat = try await store.start(wish, at: home.now).chat.id
                let draft = MessageDraft(tag: .text, content: "hi")
                try await store.submit(
                    Submission(
                        chat: chat,
                        sender: home.ada,
                        key: "1",
                        action: .message(draft),
                        time: home.now
                    )
                )
            }
            let chats = try await store.chats(of: home.ada)
            #expect(chats.allSatisfy { $0.participants.map(\.user) == [home.ada, home.bob] })
            let (user, other, now) = (home.ada, home.bob, home.now)
            let statements = try await store.file.read { database in
                _ = meter.take()
                let chats = try ChatRow.chats(of: user, after: nil, limit: 1_000, in: database)
                let readings = try ReadingRow.readings(of: chats, for: user, now: now, database)
                #expect(chats.count(where: { readings[$0.id]?.newest.count == 1 }) == chats.count - 1)
                _ = try SQLiteTransaction(database).rows(AccountTable.users([user, other]))
                _ = try ChatRow.lastNumbers(of: user, in: database)
                return meter.take().values.reduce(0) { $0 + $1.runs }
            }
            #expect(statements == 9)
        }
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
