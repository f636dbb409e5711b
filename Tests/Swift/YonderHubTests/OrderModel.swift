import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing
import YonderBus
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

/// A model of one chat: senders that pipeline, leave, rejoin, block, share and have positions erased concurrently, and subscribers.
///
/// Each subscriber must receive every number that its user may read, once, in order.
final class OrderModel: Sendable {
    typealias Store = any (ChatStore & AccountStore & CommitSource)

    private let stores: [Store]
    private let nodes: [Exchange]
    private let group: MultiThreadedEventLoopGroup
    private let keys = Atomic(0)

    /// Runs `body` over a store, or over several that share what they keep and read one another's commits from `log`.
    static func run(
        over stores: [Store],
        log: (any CommitLog)? = nil,
        medium: InProcessBus.Medium? = nil,
        _ body: (OrderModel) async throws -> Void
    ) async throws {
        let model = try await OrderModel(stores, log, medium)
        let running = model.nodes.map { node in Task { try? await node.runNode() } }
        var failure: (any Error)?
        do { try await body(model) } catch { failure = error }
        for task in running {
            task.cancel()
            await task.value
        }
        try await model.group.shutdownGracefully()
        if let failure { throw failure }
    }

    private init(_ stores: [Store], _ log: (any CommitLog)?, _ medium: InProcessBus.Medium?) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        var nodes: [Exchange] = []
        for store in stores {
            nodes.append(
                try await Exchange.start(
                    chats: store,
                    accounts: store,
                    bus: medium?.join() ?? InProcessBus(),
                    log: log,
                    group: group,
                    settings: HubSettings(),
                    // A second of a node takes a fiftieth here.
                    sleep: { try await ContinuousClock().sleep(for: $0 / 50) },
                    logger: Logger(label: "test")
                )
            )
        }
        (self.stores, self.nodes, self.group) = (stores, nodes, group)
    }

    // MARK: One run

    /// The people and the chats of one run.
    private struct Scene: Sendable {
        let ann: User
        let ben: User
        let cid: User
        let pair: ChatID
        let group: ChatID
        let seed: UInt64
    }

    /// Has everybody do what the seed says, and checks what each watcher was given.
    func run(seed: UInt64) async throws {
        let scene = try await scene(seed)
        var watchers: [Watcher] = []
        for node in nodes {
            for chat in [scene.pair, scene.group] {
                watchers.append(try await watcher(scene.ben, of: chat, on: node))
                watchers.append(try await watcher(scene.ann, of: chat, on: node))
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for watcher in watchers { tasks.addTask { try await watcher.watch() } }
            tasks.addTask { try await self.act(scene) }
            try await tasks.waitForAll()
        }
        for watcher in watchers {
            let query = MessageQuery(chat: watcher.chat)
            let answer = try await stores[0].messages(query, reader: watcher.user, now: .now)
            #expect(watcher.numbers == answer.messages.map(\.number), "seed \(seed), \(watcher.user)")
        }
    }

    private func scene(_ seed: UInt64) async throws -> Scene {
        let (ann, ben, cid) = (user("Ann"), user("Ben"), user("Cid"))
        for user in [ann, ben, cid] { try await stores[0].createAccount(Account(user: user, created: .now)) }
        for (one, other) in [(ann, ben), (ben, cid), (ann, cid)] {
            try await stores[0].connect(one.id, other.id)
        }
        let pair = ChatStart(creator: ben.id, invitees: [ann.id], isOneToOne: true)
        let all = ChatStart(creator: ben.id, invitees: [ann.id, cid.id])
        return Scene(
            ann: ann,
            ben: ben,
            cid: cid,
            pair: try await nodes[0].start(pair, under: .server).chat.id,
            group: try await nodes[0].start(all, under: .server).chat.id,
            seed: seed
        )
    }

    private func user(_ name: String) -> User { User(id: .random(), name: name) }

    private func watcher(_ user: User, of chat: ChatID, on node: Exchange) async throws -> Watcher {
        let watcher = Watcher(try await client(user, on: node), user.id, of: chat)
        try await watcher.subscribe()
        return watcher
    }

    private func client(_ user: User, on node: Exchange) async throws -> FakeClient {
        try await FakeClient(user, to: node, on: group.next())
    }

    // MARK: What they do

    private func act(_ scene: Scene) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await self.send(scene) }
            tasks.addTask { try await self.comeAndGo(scene) }
            tasks.addTask { try await self.block(scene) }
            tasks.addTask { try await self.share(scene) }
            try await tasks.waitForAll()
        }
        for chat in [scene.pair, scene.group] {
            try await submit(.message(MessageDraft(tag: .text, content: Watcher.end)), scene.ben, chat)
        }
    }

    private func random(_ scene: Scene, _ part: UInt64) -> SeededGenerator {
        SeededGenerator(seed: scene.seed &* 8 &+ part)
    }

    /// Ben sends in a pipeline, through any node.
    private func send(_ scene: Scene) async throws {
        var random = random(scene, 1)
        var senders: [FakeClient] = []
        for node in nodes { senders.append(try await client(scene.ben, on: node)) }
        for round in 0..<12 {
            let frames = (0..<Int.random(in: 1...12, using: &random)).map { place in
                let chat = Bool.random(using: &random) ? scene.pair : scene.group
                return
                    #"{"type":"send","key":"\#(round)-\#(place)","chat":"\#(chat)","tag":"Text","content":"x"}"#
            }
            guard let sender = senders.randomElement(using: &random) else { continue }
            try await sender.send(frames)
            for _ in frames { _ = try await sender.next(\.sent) }
        }
    }

    /// Ann leaves the pair's chat and starts it again; and Ben takes her out of the group, and in again.
    private func comeAndGo(_ scene: Scene) async throws {
        var random = random(scene, 2)
        let pair = ChatStart(creator: scene.ann.id, invitees: [scene.ben.id], isOneToOne: true)
        for _ in 0..<8 {
            if Bool.random(using: &random) {
                try await submit(.leave, scene.ann, scene.pair, &random)
                _ = try await node(&random).start(pair, under: .server)
            } else {
                try await submit(.remove(scene.ann.id), scene.ben, scene.group, &random)
                try await submit(.add([scene.ann.id]), scene.ben, scene.group, &random)
            }
        }
    }

    /// Cid blocks Ann, and no longer, while he is in a group with her.
    private func block(_ scene: Scene) async throws {
        var random = random(scene, 3)
        for _ in 0..<4 {
            try await node(&random).block(scene.ann.id, by: scene.cid.id, under: .server)
            try await node(&random).unblock(scene.ann.id, by: scene.cid.id, under: .server)
        }
    }

    /// Cid shares positions into the group that are erased at the end.
    private func share(_ scene: Scene) async throws {
        var random = random(scene, 4)
        for _ in 0..<2 {
            let id = ShareID.random()
            try await submit(.startShare(id, ShareWish(keeping: .expiring)), scene.cid, scene.group, &random)
            for place in 0..<4 {
                let data = try MessageData(Array(#"{"latitude":48.\#(place),"longitude":11.5}"#.utf8))
                let draft = MessageDraft(tag: .location, data: data)
                try await submit(.message(draft), scene.cid, scene.group, &random)
            }
            try await submit(.stopShare(id), scene.cid, scene.group, &random)
            while try await stores[0].eraseShares(at: .now, limit: 3) > 0 {}
        }
    }

    private func node(_ random: inout SeededGenerator) -> Exchange {
        nodes.randomElement(using: &random) ?? nodes[0]
    }

    private func submit(
        _ action: Submission.Action,
        _ user: User,
        _ chat: ChatID,
        _ random: inout SeededGenerator
    ) async throws {
        try await submit(action, user, chat, on: node(&random))
    }

    private func submit(_ action: Submission.Action, _ user: User, _ chat: ChatID, on node: Exchange? = nil)
        async throws
    {
        let key = "k\(keys.add(1, ordering: .relaxed).newValue)"
        let submission = Submission(chat: chat, sender: user.id, key: key, action: action, time: .now)
        _ = try await (node ?? nodes[0]).take(submission)
    }
}

/// A subscriber to one chat's messages, which subscribes again from its last number after its user left and rejoined.
private final class Watcher: Sendable {
    /// The last message of a run.
    static let end = "the end"

    let user: UserID
    let chat: ChatID
    private let client: FakeClient
    private let seen = Mutex<[Int64]>([])

    init(_ client: FakeClient, _ user: UserID, of chat: ChatID) {
        self.client = client
        self.user = user
        self.chat = chat
    }

    /// The numbers of the received messages, in their order.
    var numbers: [Int64] { seen.withLock(\.self) }

    func subscribe() async throws {
        let since = numbers.last ?? 0
        try await client.send(
            #"{"type":"subscribe","id":1,"query":"messages","chat":"\#(chat)","since":\#(since)}"#
        )
    }

    /// Takes what comes, until the end.
    func watch() async throws {
        while let frame = try await client.next() {
            let messages = frame.messages?.messages ?? frame.message.map { [$0] } ?? []
            seen.withLock { $0 += messages.map(\.logNumber) }
            if messages.contains(where: { $0.content == Self.end }) { return }
            if frame.ended != nil || frame.refusal != nil {
                await Task.yield()
                try await subscribe()
            }
        }
    }
}
