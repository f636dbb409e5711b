import Logging
import Synchronization
import TestSupport
import Testing
import YonderRules
import YonderGeodesy
import YonderModel

@testable import YonderAccounts

/// The removal of a user with some hundred chats.
@Suite struct RemovalTests {
    private let store = MemoryStore()
    private let now = Timestamp(milliseconds: 1_764_000_000_000)
    private static let count = 300

    private func removal(waitingFor waits: Int = .max) -> Removal {
        let start = ContinuousClock.now
        let accounts = Accounts(
            store: store,
            passwords: PasswordHasher(cost: PasswordCost(exponent: 2)),
            attempts: AttemptMemory(uptime: { start }),
            clock: ExpiryClock(wall: { [now] in now }, uptime: { start }),
            log: SignInLog(logger: Logger(label: "test"), uptime: { start })
        )
        return Removal(accounts: accounts, chats: store, waitingFor: waits, now: { [now] in now })
    }

    /// Two people with their chats.
    private func people() async throws -> (ada: UserID, ben: UserID, chats: [ChatID]) {
        let (ada, ben) = (UserID.random(), UserID.random())
        for user in [ada, ben] {
            try await store.createAccount(Account(user: User(id: user, name: "A"), created: now))
        }
        try await store.connect(ada, ben)
        var chats: [ChatID] = []
        for _ in 0..<Self.count {
            chats.append(try await store.start(ChatStart(creator: ben, invitees: [ada]), at: now).chat.id)
        }
        return (ada, ben, chats)
    }

    @Test func `what another person submits is committed between the steps of a removal`() async throws {
        let (ada, ben, chats) = try await people()
        let message = Submission(
            chat: chats[0],
            sender: ben,
            key: "1",
            action: .message(MessageDraft(tag: .text, content: "Hello")),
            time: now
        )
        let commits = Mutex<[Int]>([])
        let isAnswered = Atomic(false)
        store.outlet.connect { [store] commit in
            guard !commit.messages.isEmpty else { return }
            let isFirst = commits.withLock { commits in
                commits.append(commit.messages.count { $0.message.tag == .leave })
                return commits.count == 1
            }
            guard isFirst else { return }
            store.submit([message]) { _ in isAnswered.store(true, ordering: .releasing) }
        }
        try await removal().remove(ada, by: "test", under: .server)
        let leaves = commits.withLock(\.self)
        #expect(leaves.reduce(0, +) == Self.count)
        #expect(leaves.max() == Leaving.step)
        #expect(leaves[1] == 0 && isAnswered.load(ordering: .acquiring))
        #expect(try await store.lastNumbers(of: ada).isEmpty)
        #expect(try await store.leaving().isEmpty)
    }

    @Test func `a removal returns after a bounded number of chats, and finishing it does the rest`()
        async throws
    {
        let (ada, ben, chats) = try await people()
        let removal = removal(waitingFor: 32)
        try await removal.remove(ada, by: "test", under: .server)
        await #expect { try await store.account(ada) } throws: {
            ($0 as? SharingError)?.code == .unknownUser
        }
        #expect(try await store.lastNumbers(of: ada).count == Self.count - 32)
        #expect(try await store.leaving() == [ada])
        try await removal.finish()
        #expect(try await store.lastNumbers(of: ada).isEmpty)
        #expect(try await store.leaving().isEmpty)
        #expect(
            try await store.lastNumbers(of: ben) == Dictionary(uniqueKeysWithValues: chats.map { ($0, 1) })
        )
    }
}
