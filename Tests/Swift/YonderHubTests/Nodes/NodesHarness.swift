import Logging
import NIOCore
import NIOPosix
import TestSupport
import Synchronization
import YonderModel
import YonderRules
import YonderObjects

@testable import YonderBus
@testable import YonderHub

/// A cluster in one process: exchanges that share a store in memory and a bus, and four users, three of them in one chat.
final class NodesHarness: Sendable {
    let store: MemoryStore
    let medium: InProcessBus.Medium
    let objects = LaneStore()
    let nodes: [Exchange]

    /// Each node's own store over the shared memory.
    let stores: [MemoryStore]
    let group: MultiThreadedEventLoopGroup
    let people: [User]
    let chat: ChatID

    /// Runs `body` with nodes that hear each other, and ends them.
    ///
    /// - Parameters:
    ///   - count: How many nodes.
    ///   - fate: How often a frame arrives; `nil` if each does. Then no node is taken for gone, however slow the machine is.
    ///   - settings: The limits of each node.
    ///   - body: What is tried.
    /// - Throws: The error of `body`.
    static func run(
        nodes count: Int = 2,
        fate: (@Sendable ([UInt8], Int, Int) -> Int)? = nil,
        settings: HubSettings = HubSettings(),
        _ body: (NodesHarness) async throws -> Void
    ) async throws {
        let harness = try await NodesHarness(count, fate, settings)
        let running = harness.nodes.map { node in Task { try? await node.runNode() } }
        // Lists are read again when nodes meet, and answered whole where a test waits for one change.
        let isMet = { (node: Exchange) in node.link.others.count == count - 1 && node.link.isSettled }
        while fate == nil, !harness.nodes.allSatisfy(isMet) { await Task.yield() }
        var failure: (any Error)?
        do { try await body(harness) } catch { failure = error }
        for task in running {
            task.cancel()
            await task.value
        }
        try await harness.group.shutdownGracefully()
        if let failure { throw failure }
    }

    private init(
        _ count: Int,
        _ fate: (@Sendable ([UInt8], Int, Int) -> Int)?,
        _ settings: HubSettings
    ) async throws {
        let (store, medium) = (MemoryStore(), InProcessBus.Medium(fate: fate ?? { _, _, _ in 1 }))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        self.store = store
        self.medium = medium
        self.group = group
        var people: [User] = []
        for index in 1...Int64(4) {
            let user = User(id: UserID(index) ?? .random(), name: "Person \(index)")
            try await store.createAccount(Account(user: user, isOperator: index == 1, created: .now))
            if let first = people.first { try await store.connect(first.id, user.id) }
            people.append(user)
        }
        self.people = people
        var nodes: [Exchange] = []
        stores = (0..<count).map { _ in MemoryStore(beside: store) }
        for store in stores {
            nodes.append(
                try await Exchange.start(
                    chats: store,
                    accounts: store,
                    catalog: try await ObjectCatalog.load(from: objects, log: objects),
                    bus: medium.join(),
                    log: store,
                    group: group,
                    settings: settings,
                    silence: fate == nil ? .seconds(3_600) : NodeRoll.patience,
                    // A second of a node takes a fiftieth here.
                    sleep: { try await ContinuousClock().sleep(for: $0 / 50) },
                    logger: Logger(label: "test")
                )
            )
        }
        self.nodes = nodes
        let wish = ChatStart(creator: people[0].id, invitees: people[1...2].map(\.id))
        chat = try await nodes[0].start(wish, under: .server).chat.id
    }

    func connect(_ person: Int, to node: Int, by credential: SecretHash? = nil) async throws -> FakeClient {
        try await FakeClient(people[person], to: nodes[node], on: group.next(), by: credential)
    }

    /// Connects a user to a node and subscribes the connection to the chat's messages.
    func subscribe(_ person: Int, to node: Int) async throws -> FakeClient {
        let client = try await connect(person, to: node)
        try await client.send(query("messages"))
        try await client.until(\.isCurrent)
        return client
    }

    /// A frame that subscribes to something of the chat.
    func query(_ name: String) -> String {
        #"{"type":"subscribe","id":1,"query":"\#(name)","chat":"\#(chat)"}"#
    }

    func message(_ key: String, _ more: String = "") -> String {
        #"{"type":"send","key":"\#(key)","chat":"\#(chat)","tag":"Text","content":"\#(key)"\#(more)}"#
    }
}

extension MemoryStore: CommitLog {
    func stored(in chat: ChatID, after number: Int64, below limit: Int64?, count: Int)
        async throws(SharingError) -> StoredPage
    {
        let (chat, all, shares) = try log(of: chat)
        let wanted = all.filter { $0.logNumber > number && $0.logNumber < limit ?? .max }
        let targets = Set(wanted.compactMap(\.recalledNumber))
        return StoredPage(
            chat: chat,
            messages: Array(wanted.prefix(count)),
            recalled: all.filter { targets.contains($0.logNumber) },
            shares: shares,
            isComplete: wanted.count <= count
        )
    }

    func lasts(of chats: [ChatID]) async throws(SharingError) -> [ChatID: Int64] {
        var lasts: [ChatID: Int64] = [:]
        for chat in chats { lasts[chat] = try log(of: chat).chat.last }
        return lasts
    }
}
