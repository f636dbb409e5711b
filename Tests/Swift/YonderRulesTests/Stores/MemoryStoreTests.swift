import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

struct MemoryStoreTests {
    @Test(arguments: StoreRule.all)
    func `a store in memory keeps the rule`(rule: StoreRule) async throws {
        try await rule.check(MemoryStore())
    }

    @Test(arguments: ObjectRule.all)
    func `a store in memory keeps the rule of objects`(rule: ObjectRule) async throws {
        try await rule.check(MemoryStore())
    }

    @Test(arguments: KeyRule.all)
    func `a store in memory keeps the rule of keys`(rule: KeyRule) async throws {
        try await rule.check(MemoryStore())
    }

    @Test(arguments: ImageRule.all)
    func `a store in memory keeps the rule of images`(rule: ImageRule) async throws {
        try await rule.check(MemoryStore())
    }

    @Test(arguments: OutboxRule.all)
    func `an outbox in memory keeps the rule`(rule: OutboxRule) async throws {
        try await rule.check(MemoryOutboxStore(limit: 3))
    }

    @Test func `a completion may submit again, and is answered after the one it is in`() async throws {
        let store = MemoryStore()
        let (ada, chat) = (UserID.random(), ChatID.random())
        let submission = Submission(
            chat: chat,
            sender: ada,
            key: "k",
            action: .leave,
            time: .init(milliseconds: 0)
        )
        let order = await withCheckedContinuation { continuation in
            store.submit([submission]) { _ in
                let isOver = Mutex(false)
                store.submit([submission]) { _ in continuation.resume(returning: isOver.withLock(\.self)) }
                isOver.withLock { $0 = true }
            }
        }
        #expect(order)
    }
}
