import Logging
import NIOCore
import NIOPosix
import TestSupport
import Synchronization
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderObjects
import YonderWire

@testable import YonderHub

/// An exchange over a store in memory, on event loops of its own, with a few people who are in one chat.
final class ExchangeHarness: Sendable {
    let store: MemoryStore

    /// The store as the exchange knows it.
    let gate: GatedStore
    let exchange: Exchange
    let catalog: ObjectCatalog
    let group: MultiThreadedEventLoopGroup

    /// How far the clock of shares was moved by hand.
    private let skipped: Skipped
    let people: [User]
    let chat: ChatID

    /// Runs `body` with an exchange, and ends its loops.
    static func run(
        people count: Int = 3,
        loops: Int = 2,
        settings: HubSettings = HubSettings(),
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        _ body: (ExchangeHarness) async throws -> Void
    ) async throws {
        let harness = try await ExchangeHarness(
            people: count,
            loops: loops,
            settings: settings,
            uptime: uptime
        )
        do {
            try await body(harness)
        } catch {
            try await harness.group.shutdownGracefully()
            throw error
        }
        try await harness.group.shutdownGracefully()
    }

    private init(
        people count: Int,
        loops: Int,
        settings: HubSettings,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant
    ) async throws {
        store = MemoryStore()
        gate = GatedStore(store)
        group = MultiThreadedEventLoopGroup(numberOfThreads: loops)
        var people: [User] = []
        for index in 0..<count {
            let user = User(id: try #require(UserID(Int64(index + 1))), name: "Person \(index + 1)")
            try await store.createAccount(Account(user: user, isOperator: index == 0, created: .now))
            if let first = people.first { try await store.connect(first.id, user.id) }
            people.append(user)
        }
        self.people = people
        catalog = try await ObjectCatalog.load(from: store)
        let skipped = Skipped()
        self.skipped = skipped
        exchange = try await Exchange.start(
            chats: gate,
            accounts: store,
            catalog: catalog,
            group: group,
            settings: settings,
            now: { .now + skipped.duration.withLock(\.self) },
            uptime: uptime,
            logger: Logger(label: "test")
        )
        let wish = ChatStart(creator: people[0].id, invitees: people.dropFirst().map(\.id))
        chat = try await exchange.start(wish, under: .server).chat.id
    }

    private final class Skipped: Sendable {
        let duration = Mutex(Duration.zero)
    }

    /// Moves the clock of shares.
    func skipUnseen(_ duration: Duration) {
        skipped.duration.withLock { $0 += duration }
    }

    /// Moves the clock of shares, and has it looked at.
    func skip(_ duration: Duration) {
        skipped.duration.withLock { $0 += duration }
        exchange.tickShares(exchange.shares.now())
    }

    /// Connects somebody, each to the next loop in turn.
    func connect(_ index: Int, bound: Int = 65_536) async throws -> FakeClient {
        try await FakeClient(people[index], to: exchange, on: group.next(), bound: bound)
    }

    /// Connects somebody and subscribes them to the chat's messages.
    func subscribe(_ index: Int, bound: Int = 65_536, more: String = "") async throws -> FakeClient {
        let client = try await connect(index, bound: bound)
        try await client.send(#"{"type":"subscribe","id":1,"query":"messages","chat":"\#(chat)"\#(more)}"#)
        try await client.until(\.isCurrent)
        return client
    }

    /// A frame that sends a message.
    func message(_ key: String, _ more: String = "") -> String {
        #"{"type":"send","key":"\#(key)","chat":"\#(chat)","tag":"Text","content":"\#(key)"\#(more)}"#
    }
}
