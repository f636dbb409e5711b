import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderStorage

struct MessageConditionsTests {
    private let folder = TemporaryFolder()

    @Test(arguments: [[MessageTag.text], [.text, .photo, .recall]], [true, false])
    func `messages by tag and sender are found by the index, and what empties them beside them`(
        tags: [MessageTag],
        isOfSender: Bool
    ) async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        let filter = MessageFilter(chat: try #require(ChatID(7)))
        let sender = isOfSender ? UserID.random() : nil
        for others in [[], [.recall], filter.emptying] as [[MessageTag]] {
            let conditions = MessageConditions(filter, tags: tags, sender: sender, or: others)
            for isAscending in [false, true] {
                let steps = try await plan(conditions.sql(isAscending: isAscending, isIndexed: true), store)
                let searches = steps.filter { $0.hasPrefix("SEARCH") }
                let index =
                    isOfSender
                    ? "messageBySender (chat=? AND sender=? AND tag=?" : "messageByTag (chat=? AND tag=?"
                let own = tags.count { !others.contains($0) }
                #expect(
                    searches.count { $0.contains("\(index) AND number>? AND number<?)") } >= own,
                    "\(steps)"
                )
                #expect(searches.count == own + others.count, "\(steps)")
                #expect(searches.allSatisfy { $0.contains("messageBy") }, "\(steps)")
                #expect(!steps.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(steps)")
            }
        }
        try store.close()
    }

    @Test func `the newest position of a sender is found by the index`() async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        let filter = MessageFilter(chat: try #require(ChatID(7)))
        for (remaining, index) in [
            (
                MessageConditions.Remaining.onTime,
                "messageByPosition (chat=? AND sender=? AND late=? AND number>? AND number<?)"
            ),
            (.late, "messageByPosition (chat=? AND sender=? AND late>?)"),
        ] {
            var conditions = MessageConditions(filter, tags: [.location], sender: .random())
            conditions.remaining = remaining
            let steps = try await plan(conditions.sql(isAscending: false, isIndexed: true), store)
            #expect(steps.count == 1 && steps[0].contains(index), "\(steps)")
        }
        try store.close()
    }

    @Test(arguments: UInt64(0)..<8)
    func `whatever is asked for, the answer is that of a look at every message`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try SQLiteStore(folder: folder.path, recentLimit: 4)
        let home = try await Home(store)
        // With over sixteen tags a sender's messages are found by their numbers.
        let own = (0..<Int.random(in: 1...20, using: &random)).compactMap { MessageTag("Own\($0)") }
        for number in 0..<120 {
            let sender = Bool.random(using: &random) ? home.ada : home.bob
            func submission(_ action: Submission.Action, _ key: String) -> Submission {
                Submission(chat: home.chat, sender: sender, key: key, action: action, time: home.now)
            }
            let draft = MessageDraft(
                tag: (own + [.text]).randomElement(using: &random) ?? .text,
                content: "\(number)"
            )
            let message = try await store.submit(submission(.message(draft), "\(number)")).message
            guard Int.random(in: 0..<6, using: &random) == 0 else { continue }
            try await store.submit(submission(.recall(number: message.logNumber), "recall \(number)"))
        }
        let whole = MessageQuery(chat: home.chat, limit: 1_000)
        let all = try await store.messages(whole, reader: home.ada, now: home.now).messages
        for _ in 0..<40 {
            let sender = [nil, home.ada, home.bob].randomElement(using: &random) ?? nil
            let tag = ([nil, .text, .recall, .photo] + own).randomElement(using: &random) ?? nil
            let filter = MessageFilter(chat: home.chat, tag: tag, sender: sender)
            let number = Int64.random(in: 0...150, using: &random)
            let next = try await store.messages(
                after: number,
                filter,
                limit: 9,
                reader: home.ada,
                now: home.now
            )
            #expect(
                next.messages == Array(all.filter { $0.logNumber > number && filter.matches($0) }.prefix(9))
            )
            let query = MessageQuery(chat: home.chat, tag: tag, sender: sender, before: number, limit: 7)
            let newest = try await store.messages(query, reader: home.ada, now: home.now).messages
            #expect(newest == Array(all.filter { $0.logNumber < number && filter.selects($0) }.suffix(7)))
        }
        try store.close()
    }

    private func plan(_ sql: String, _ store: SQLiteStore) async throws -> [String] {
        try await store.file.read { database in
            try String.fetchAll(
                database,
                sql: "EXPLAIN QUERY PLAN \(sql.replacing(/\?[0-9]+/, with: "1"))",
                column: 3
            )
        }
    }
}
