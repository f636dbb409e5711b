import Foundation
import Synchronization
import TestSupport
import Testing
import YonderRules
import YonderGeodesy
import YonderModel
import YonderSQLite
import YonderTables

@testable import YonderStorage

struct SQLiteStoreTests {
    private let folder = TemporaryFolder()

    @Test(arguments: StoreRule.all)
    func `a store on disk keeps the rule`(rule: StoreRule) async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        try await rule.check(store)
        try store.close()
    }

    @Test(arguments: UInt64(0)..<6)
    func `a store on disk answers like one in memory, whatever is done`(seed: UInt64) async throws {
        let (left, right) = (ChatIDs(seed: seed), ChatIDs(seed: seed))
        // So few that much is moved by the way.
        let store = try SQLiteStore(folder: folder.path, recentLimit: 4, nextChatID: { left.next() })
        var comparison = try await StoreComparison(
            MemoryStore(nextChatID: { right.next() }),
            store,
            seed: seed
        )
        try await comparison.run(250)
        try store.close()
    }

    @Test func `everything is there after the store was closed and opened again`() async throws {
        var store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        let sent = try await store.submit(home.submission("a", key: "k")).message
        try store.close()

        store = try SQLiteStore.open(folder: folder.path)
        let answer = try await store.messages(
            MessageQuery(chat: home.chat),
            reader: home.bob,
            now: home.now
        )
        #expect(answer.messages == [sent])
        #expect(try await store.submit(home.submission("a", key: "k")).isRepeat)
        #expect(try await store.submit(home.submission("b", key: "l")).message.number == 2)
        #expect(try await store.contacts(of: home.ada).map(\.id) == [home.bob])
        try store.close()
    }

    @Test func `a batch that can't be written is refused whole, none of it is kept, and the store recovers`()
        async throws
    {
        let store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        try await store.submit(home.submission("a", key: "a"))
        try await store.file.pool.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        let big = String(repeating: "x", count: 60_000)
        let results = await withCheckedContinuation { continuation in
            store.submit([home.submission("small", key: "b"), home.submission(big, key: "c")]) {
                continuation.resume(returning: $0)
            }
        }
        for result in results {
            #expect(throws: SharingError.storeFailed) { try result.get() }
        }
        #expect(try await store.chat(home.chat).last == 1)

        try await store.file.pool.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA max_page_count = 1000000")
        }
        #expect(await store.isHealthy())
        #expect(try await store.submit(home.submission("small", key: "b")).message.number == 2)
        #expect(try await store.submit(home.submission(big, key: "c")).message.number == 3)
        try store.close()
    }

    @Test func `a store takes what its queue holds and refuses the rest`() async throws {
        let store = try SQLiteStore(folder: folder.path, limits: .init(count: 3, bytes: 10_000, perCommit: 2))
        let home = try await Home(store)
        let refused = await withCheckedContinuation { continuation in
            store.submit((0..<4).map { home.submission("a", key: "\($0)") }) {
                continuation.resume(returning: $0)
            }
        }
        #expect(refused.allSatisfy { $0 == .failure(.storeBusy) })
        let big = home.submission(String(repeating: "x", count: 10_000), key: "b")
        await #expect(throws: SharingError.storeBusy) { try await store.submit(big) }
        #expect(try await store.submit(home.submission("a", key: "0")).message.number == 1)
        try store.close()
        await #expect(throws: SharingError.storeBusy) {
            try await store.submit(home.submission("a", key: "1"))
        }
    }

    @Test func `closing writes what waits`() async throws {
        var store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        let answered = Atomic(0)
        for number in 0..<5_000 {
            store.submit([home.submission("a", key: "\(number)")]) { results in
                if case .success = results[0] { answered.add(1, ordering: .relaxed) }
            }
        }
        try store.close()
        #expect(answered.load(ordering: .relaxed) == 5_000)
        store = try SQLiteStore.open(folder: folder.path)
        #expect(try await store.chat(home.chat).last == 5_000)
        try store.close()
    }

    @Test func `acknowledged messages are there after the process was killed at any point`() async throws {
        let store = try SQLiteStore(folder: folder.path, recentLimit: 20)
        let home = try await Home(store)
        for number in 1...100 {
            try await store.submit(home.submission("\(number)", key: "\(number)"))
            guard number % 9 == 0 else { continue }
            // The files as they are now: what a process that is killed leaves.
            let copy = TemporaryFolder()
            try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
            let restarted = try SQLiteStore.open(folder: copy.path)
            let query = MessageQuery(chat: home.chat)
            let answer = try await restarted.messages(query, reader: home.bob, now: home.now)
            #expect(answer.messages.map(\.number) == Array(1...Int64(number)))
            #expect(answer.messages.map(\.content) == (1...number).map { "\($0)" })
            #expect(try await restarted.submit(home.submission("1", key: "1")).isRepeat)
            #expect(
                try await restarted.submit(home.submission("x", key: "x")).message.number == Int64(number) + 1
            )
            try restarted.close()
        }
        try store.close()
    }

    @Test(arguments: [false, true])
    func
        `a chat that is hardly written to, and one that is read all the time, keep nobody's messages where they came`(
            isRead: Bool
        ) async throws
    {
        let store = try SQLiteStore(folder: folder.path, recentLimit: 500)
        let (busy, quiet) = (try await Home(store), try await Home(store))
        for round in 0..<40 {
            if round == 1 { try await store.submit(quiet.submission("quiet", key: "q")) }
            let messages = (0..<200).map { busy.submission("\($0)", key: "\(round) \($0)") }
            let results = await withCheckedContinuation { continuation in
                store.submit(messages) { continuation.resume(returning: $0) }
            }
            for result in results { _ = try result.get() }
            guard isRead else { continue }
            let query = MessageQuery(chat: busy.chat)
            _ = try await store.messages(query, reader: busy.bob, now: busy.now)
        }
        let waiting = try await store.file.pool.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM recent") ?? 0
        }
        #expect(waiting < 2_000)
        let query = MessageQuery(chat: quiet.chat)
        let answer = try await store.messages(query, reader: quiet.bob, now: quiet.now)
        #expect(answer.messages.map(\.content) == ["quiet"])
        try store.close()
    }

    @Test func `recalled and trimmed messages stay so when the store is opened again`() async throws {
        var store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        for number in 1...5 { try await store.submit(home.submission("\(number)", key: "\(number)")) }
        let recall = Submission(
            chat: home.chat,
            sender: home.ada,
            key: "r",
            action: .recall(number: 4),
            time: home.now
        )
        try await store.submit(recall)
        try await store.trim(home.chat, below: 3)
        try store.close()
        store = try SQLiteStore.open(folder: folder.path)
        let query = MessageQuery(chat: home.chat)
        let answer = try await store.messages(query, reader: home.bob, now: home.now)
        #expect(answer.messages.map(\.number) == [3, 4, 5, 6])
        #expect(answer.messages.map(\.content) == ["3", "", "5", ""])
        try store.close()
    }

    @Test func `a chat that fell out of the cache goes on where it was`() async throws {
        var cache = ChatCache(capacity: 10)
        let chats = (0..<50).map { _ in
            Chat(
                id: .random(),
                isOneToOne: false,
                subject: "",
                participants: [Participant(user: .random(), role: .owner, color: 0, spans: [])],
                created: Timestamp(milliseconds: 0)
            )
        }
        var loads = 0
        for chat in chats + chats {
            let entry = cache.entry(chat.id) {
                loads += 1
                return ChatCache.Entry(chat)
            }
            #expect(entry.chat == chat)
            #expect(entry.participant(chat.participants[0].user) == chat.participants[0])
        }
        #expect(loads == 100)
        _ = cache.entry(chats[49].id) {
            Issue.record("It was used last."); return ChatCache.Entry(chats[49])
        }
    }
}

/// Two people and their chat.
struct Home: Sendable {
    let ada = UserID.random()
    let bob = UserID.random()
    let chat: ChatID
    static let time = Timestamp(milliseconds: 1_700_000_000_000)
    let now = Self.time

    init(_ store: SQLiteStore) async throws {
        for (id, name) in [(ada, "Ada"), (bob, "Bob")] {
            try await store.createAccount(Account(user: User(id: id, name: name), created: now))
        }
        try await store.connect(ada, bob)
        chat = try await store.start(ChatStart(creator: ada, invitees: [bob]), at: now).chat.id
    }

    func submission(_ text: String, key: String) -> Submission {
        let draft = MessageDraft(tag: .text, content: text)
        return Submission(chat: chat, sender: ada, key: key, action: .message(draft), time: now)
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
