#if Postgres
import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderTables

@testable import YonderLibPQ
@testable import YonderPostgreSQL

@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLStoreTests {
    @Test(arguments: StoreRule.all) func `the store keeps every rule of stores`(_ rule: StoreRule)
        async throws
    {
        try await TestDatabase.withStore { try await rule.check($0) }
    }

    @Test(arguments: UInt64(0)..<8) func `the store answers as the one in memory does`(_ seed: UInt64)
        async throws
    {
        try await TestDatabase.with { database in
            let ids = [ChatIDs(seed: seed), ChatIDs(seed: seed)]
            let store = try await database.store(nextChatID: { ids[0].next() })
            let memory = MemoryStore(nextChatID: { ids[1].next() })
            var comparison = try await StoreComparison(store, memory, seed: seed)
            try await comparison.run(250)
            await store.close()
        }
    }

    @Test func `a database with tables of something else is refused`() async throws {
        try await TestDatabase.with { database in
            try await database.run("DROP TABLE schema")
            await #expect { try await database.open() } throws: {
                ($0 as? PostgreSQLError)?.code == .notEmpty
            }
        }
    }

    @Test func `a database that a newer program has migrated is refused`() async throws {
        try await TestDatabase.with { database in
            try await database.run("UPDATE schema SET version = 99, least = 98")
            await #expect { try await database.open() } throws: { ($0 as? PostgreSQLError)?.code == .tooNew }
            try await database.run("UPDATE schema SET least = 1")
            await (try await database.open()).close()
        }
    }

    @Test func `submissions over the queue's limit are refused at once`() async throws {
        try await TestDatabase.with { database in
            let store = try await database.store(submissions: 5)
            let home = try await Home(store)
            let messages = (0..<6).map { home.submission("\($0)", key: "\($0)") }
            let results = await store.submit(messages)
            #expect(results.allSatisfy { $0 == .failure(.storeBusy) })
            #expect(await store.submit(Array(messages.prefix(5))).allSatisfy { (try? $0.get()) != nil })
            await store.close()
            #expect(await store.submit([messages[0]]) == [.failure(.storeBusy)])
        }
    }

    @Test func `a message of many bytes, and a key twice in one call, are each written once`() async throws {
        try await TestDatabase.withStore { store in
            let home = try await Home(store)
            let text = String(repeating: "x\0", count: 35_000)
            let one = home.submission(text, key: "1")
            let results = await store.submit([one, one, home.submission("b", key: "2"), one])
            let accepted = try results.map { try $0.get() }
            #expect(accepted.map(\.message.number) == [1, 1, 2, 1])
            #expect(accepted.map(\.isRepeat) == [false, true, false, true])
            #expect(accepted[0].message.content == text)
        }
    }
}

/// Two people and their chat.
struct Home: Sendable {
    let ada = UserID.random()
    let bob = UserID.random()
    let chat: ChatID
    let now = Timestamp(milliseconds: 1_700_000_000_000)

    init(_ store: PostgreSQLStore) async throws {
        for (id, name) in [(ada, "Ada"), (bob, "Bob")] {
            try await store.createAccount(Account(user: User(id: id, name: name), created: now))
        }
        try await store.connect(ada, bob)
        chat = try await store.start(ChatStart(creator: ada, invitees: [bob]), at: now).chat.id
    }

    func submission(_ text: String, key: String) -> Submission {
        act(.message(MessageDraft(tag: .text, content: text)), ada, key: key)
    }

    func act(_ action: Submission.Action, _ sender: UserID, key: String) -> Submission {
        Submission(chat: chat, sender: sender, key: key, action: action, time: now)
    }
}

extension TestDatabase {
    /// Opens a store whose queue takes so many submissions.
    fileprivate func store(
        submissions: Int = 100_000,
        nextChatID: @escaping @Sendable () -> ChatID = { .random() }
    ) async throws -> PostgreSQLStore {
        var settings = PostgreSQLStore.Settings()
        settings.readers = 2
        settings.submissions = submissions
        let address = try PostgreSQLAddress(server.address(of: name))
        return try await .open(address, settings: settings, nextChatID: nextChatID)
    }
}

/// Chat ids that repeat themselves.
private final class ChatIDs: Sendable {
    private let random: Mutex<SeededGenerator>

    init(seed: UInt64) {
        random = Mutex(SeededGenerator(seed: seed &+ 1_000))
    }

    func next() -> ChatID {
        random.withLock { .random(using: &$0) }
    }
}
#endif
