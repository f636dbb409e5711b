#if Postgres
import CLibPQ
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderLibPQ
@testable import YonderPostgreSQL

/// Calls of `append_v2` while another node writes the same chat.
@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct AppendTests {
    @Test func `a key that two nodes write at once makes one message, and what came with it is written once`()
        async throws
    {
        try await TestDatabase.with { database in
            try await database.withTwoStores { one, other in
                let home = try await Home(one)
                // Both have looked for the key, and found none, before either may write.
                let holder = PQconnectdb(database.server.address(of: database.name))
                defer { PQfinish(holder) }
                PQclear(PQexec(holder, "BEGIN"))
                PQclear(PQexec(holder, "SELECT id FROM chat WHERE id = \(home.chat.rawValue) FOR UPDATE"))
                let same = home.submission("same", key: "same")
                async let first = one.submit([home.submission("one", key: "one"), same])
                async let second = other.submit([same, home.submission("other", key: "other")])
                var waiting: Int64 = 0
                for _ in 0..<2_000 where waiting < 2 {
                    waiting = try await one.read(Self.waiting).first?.int(0) ?? 0
                }
                #expect(waiting == 2)
                PQclear(PQexec(holder, "ROLLBACK"))
                let results = try await (first.map { try $0.get() }, second.map { try $0.get() })
                #expect(results.0[1].message.number == results.1[0].message.number)
                #expect([results.0[1], results.1[0]].filter(\.isRepeat).count == 1)
                let numbers = [results.0[0], results.0[1], results.1[1]].map(\.message.logNumber)
                #expect(numbers.sorted() == [1, 2, 3])
                #expect(try await one.chat(home.chat).last == 3)
            }
        }
    }

    @Test func `a batch that failed as a duplicate locks its chats the next time`() async throws {
        let chat = ChatID.random()
        let submission = Submission(
            chat: chat,
            sender: .random(),
            key: "key",
            action: .message(MessageDraft(tag: .text, content: "a")),
            time: Timestamp(milliseconds: 1)
        )
        let message = Message(
            chat: chat,
            number: 1,
            sender: submission.sender,
            tag: .text,
            content: "a",
            time: submission.time
        )
        for conflicts in 0...1 {
            var item = WriteItem(request: 0, place: 0, submission: submission)
            item.conflicts = conflicts
            var batch = AppendBatch()
            batch.append(item, message, version: 1, seen: nil)
            #expect(batch.locks == (conflicts == 1))
        }
    }

    @Test(arguments: [true, false])
    func `a call that doesn't know the newest position leaves its chat as it was, and writes the others`(
        locks: Bool
    ) async throws {
        try await TestDatabase.withStore { store in
            let (home, other) = (try await Home(store), try await Home(store))
            let later = home.now + .milliseconds(5_000)
            let before = try await row(home, store)
            var batch = AppendBatch()
            for (place, home) in [home, other].enumerated() {
                let drafts = [
                    MessageDraft(tag: .text, content: "a"),
                    MessageDraft(tag: .location, data: try data(of: Double(place))),
                ]
                for (index, draft) in drafts.enumerated() {
                    let submission = Submission(
                        chat: home.chat,
                        sender: home.ada,
                        key: "\(index)",
                        action: .message(draft),
                        time: later
                    )
                    let entry = try await ChatEntry.load(home.chat) { try await store.read($0, $1) }
                    let decision = try ChatRules.decide(
                        submission,
                        in: entry.chat,
                        from: entry.participant(home.ada),
                        shares: [],
                        isClosed: false
                    )
                    var item = WriteItem(request: place, place: index, submission: submission)
                    item.conflicts = locks ? 1 : 0
                    // There is no position yet: the first chat's caller thinks that there was one.
                    let seen: Int64? = draft.tag == .location ? (place == 0 ? 7 : 0) : nil
                    batch.append(item, decision.message, version: entry.version, seen: seen)
                }
            }
            let parameters = batch.parameters
            let answer = try await store.transaction { try await $0.query(AppendBatch.statement, parameters) }
            #expect(answer.first?.ints(0) == [AppendBatch.behindPosition, 0])
            #expect(try await row(home, store) == before)
            #expect(try await row(other, store) == [2, 1, later.milliseconds])
        }
    }

    private func data(of latitude: Double) throws -> MessageData {
        let coordinate = try #require(Coordinate(latitude: latitude, longitude: 1))
        return MessageData(
            position: Position(coordinate: coordinate, timestamp: Timestamp(milliseconds: 1_700_000_000_000))
        )
    }

    /// A chat's last number, its number of written messages, and its last activity.
    private func row(_ home: Home, _ store: PostgreSQLStore) async throws -> [Int64] {
        let statement = Statement(name: "", sql: "SELECT last, written, active FROM chat WHERE id = $1")
        let row = try #require(try await store.read(statement, [.int(home.chat.rawValue)]).first)
        return [row.int(0), row.int(1), row.int(2)]
    }

    private static let waiting = Statement(
        name: "",
        sql: """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM append_v2%'
            """
    )
}
#endif
