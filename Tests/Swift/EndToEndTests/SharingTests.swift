import TestSupport
import Testing
import YonderClient
import YonderRules
import YonderGeodesy
import YonderHub
import YonderLink
import YonderModel
import YonderOutbox
import YonderStorage
import YonderWire
import YonderTables

@Suite(.timeLimit(.minutes(20))) struct SharingTests {
    @Test func `a watcher of a chat sees the positions shared there`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let (ada, bea, chat) = try await server.pair()
                let sender = try Connections().client(server.url, token: ada.token)
                let watcher = try Connections().client(server.url, token: bea.token)
                let walk = (0..<5).map { position(Double(59_900 + $0) / 1_000, 10.75) }
                let seen = try await running(sender, watcher) {
                    var updates = await watcher.messages(in: chat, where: .tagged(.location))
                        .makeAsyncIterator()
                    #expect(try await updates.next() == .list([]))
                    await sender.share(AsyncStream(walk), with: .chat(chat))
                    var seen: [Message] = []
                    while seen.count < walk.count {
                        guard case .change(.added(let message))? = try await updates.next() else { continue }
                        seen.append(message)
                    }
                    return seen
                }
                #expect(seen.map(\.position) == walk)
                #expect(seen.map(\.number) == [1, 2, 3, 4, 5])
                #expect(seen.allSatisfy { $0.sender == ada.id })
            }
        }
    }

    @Test func `over cut connections every message comes once and in order`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let (ada, bea, chat) = try await server.pair()
                let (sending, watching) = (Connections(), Connections())
                let sender = try sending.client(server.url, token: ada.token)
                let watcher = try watching.client(server.url, token: bea.token)
                let (rounds, half) = (15, 12)
                let count = rounds * half * 2
                let seen = try await running(sender, watcher) {
                    var log = Log(await watcher.messages(in: chat))
                    for round in 0..<rounds {
                        let first = round * half * 2 + 1
                        try await Self.enqueue(first..<first + half, sender, chat)
                        try await log.read(upTo: first)
                        // The second half is on its way when the connections break, or waits for the next ones.
                        let isEarly = round.isMultiple(of: 2)
                        if isEarly { try await Self.enqueue(first + half..<first + half * 2, sender, chat) }
                        watching.cut()
                        sending.cut()
                        if !isEarly { try await Self.enqueue(first + half..<first + half * 2, sender, chat) }
                        await watching.wait(untilMade: round + 2)
                        await sending.wait(untilMade: round + 2)
                        try await log.read(upTo: first + half * 2 - 1)
                    }
                    await sender.waitUntilSent()
                    return log.seen
                }
                #expect(seen.map(\.number) == Array(1...Int64(count)))
                #expect(seen.map(\.content) == (1...count).map(String.init))
                #expect(try await server.store.chat(chat).last == Int64(count))
            }
        }
    }

    @Test func `twenty thousand positions of a day offline arrive once, in order, at the server's pace`()
        async throws
    {
        let writes = WriteLimits(messages: RateLimit(burst: 5_000, perSecond: 2_000))
        try await withFolder { folder in
            try await TestServer.running(folder: folder, hub: HubSettings(writes: writes)) { server in
                let (ada, bea, chat) = try await server.pair()
                let sender = try Connections().client(server.url, token: ada.token)
                let count = 20_000
                try await Self.enqueue(1..<count + 1, sender, chat)
                try await running(sender) { await sender.waitUntilSent() }
                var numbers: [String] = []
                while numbers.count < count {
                    let page = try await server.store.messages(
                        after: Int64(numbers.count),
                        MessageFilter(chat: chat),
                        limit: 1_000,
                        reader: bea.id,
                        now: .now
                    )
                    numbers += page.messages.map(\.content)
                    guard !page.isComplete else { break }
                }
                #expect(numbers == (1...count).map(String.init))
                #expect(try await server.store.chat(chat).last == Int64(count))
            }
        }
    }

    private static func enqueue(_ numbers: Range<Int>, _ sender: SharingClient, _ chat: ChatID) async throws {
        for number in numbers {
            try await sender.enqueue(MessageDraft(tag: .text, content: "\(number)"), to: chat)
        }
    }

    /// What a watcher is told, one message after the other.
    private struct Log {
        private(set) var seen: [Message] = []
        private var updates: LiveUpdates<[Message], MessageChange>.AsyncIterator

        init(_ updates: LiveUpdates<[Message], MessageChange>) {
            self.updates = updates.makeAsyncIterator()
        }

        /// Reads until so many messages have come.
        mutating func read(upTo count: Int) async throws {
            while seen.count < count {
                switch try await updates.next() {
                case .list(let messages): seen = messages
                case .change(.added(let message)): seen.append(message)
                case .change: break
                case nil: throw CancellationError()
                }
            }
        }
    }

    @Test func `a message in a client's outbox on disk is sent exactly once, when the server is reachable`()
        async throws
    {
        try await withFolder { folder in
            let (ada, chat) = try await TestServer.running(folder: folder + "/server") { server in
                let (ada, _, chat) = try await server.pair()
                return (ada, chat)
            }
            let first = try SQLiteOutboxStore.open(folder: folder + "/outbox")
            let client = SharingClient(outbox: first) { () async throws(LinkClosure) in
                throw .lost("Nobody is there.")
            }
            try await running(client) {
                for content in ["one", "two"] {
                    try await client.enqueue(MessageDraft(tag: .text, content: content), to: chat)
                }
            }
            try first.close()

            try await TestServer.running(folder: folder + "/server") { server in
                for _ in 0..<2 {
                    let outbox = try SQLiteOutboxStore.open(folder: folder + "/outbox")
                    let client = try Connections().client(server.url, token: ada.token, outbox: outbox)
                    try await running(client) {
                        try await client.send(
                            MessageDraft(tag: .text, content: "three"),
                            to: chat,
                            key: "third"
                        )
                        while try await !outbox.entries().isEmpty { await Task.yield() }
                    }
                    try outbox.close()
                }
                let answer = try await server.store.messages(
                    MessageQuery(chat: chat),
                    reader: ada.id,
                    now: .now
                )
                #expect(answer.messages.map(\.content) == ["one", "two", "three"])
            }
        }
    }

    @Test func `chats can be started, named, joined and left, and everybody hears of it`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let (ada, bea) = (try await server.person("Ada"), try await server.person("Bea"))
                try await server.store.connect(ada.id, bea.id)
                let one = try Connections().client(server.url, token: ada.token)
                let other = try Connections().client(server.url, token: bea.token)
                try await running(one, other) {
                    var chats = await other.chats().makeAsyncIterator()
                    #expect(try await chats.next() == .list([]))
                    let (started, existed) = try await one.startChat(with: [bea.id], subject: "Walk")
                    #expect(!existed)
                    guard case .change(.changed(let invited))? = try await chats.next() else {
                        Issue.record("Not invited.")
                        return
                    }
                    #expect(invited.id == started.id)
                    #expect(invited.users[ada.id]?.name == "Ada")

                    var log = await other.messages(in: started.id).makeAsyncIterator()
                    #expect(try await log.next() == .list([]))
                    let subject = try await one.setSubject("Sunday walk", of: started.id)
                    #expect(subject.id.number == 1)
                    let written = try await other.send(
                        MessageDraft(tag: .text, content: "oh"),
                        to: started.id
                    )
                    try await other.recall(written.id)
                    try await other.leave(started.id)
                    try await Self.expectTheEnd(of: &log)
                    let refusal = await #expect(throws: SharingError.self) {
                        try await other.send(MessageDraft(tag: .text), to: started.id)
                    }
                    #expect(refusal?.code == .notParticipant)
                }
            }
        }
    }

    /// The log up to the caller's own `Leave`, and then the error.
    private static func expectTheEnd(
        of log: inout LiveUpdates<[Message], MessageChange>.AsyncIterator
    ) async throws {
        var tags: [MessageTag] = []
        var recalled: [Int64] = []
        let error = await #expect(throws: SharingError.self) {
            while let update = try await log.next() {
                if case .change(.added(let message)) = update { tags.append(message.tag) }
                if case .change(.recalled(let message)) = update { recalled.append(message.logNumber) }
            }
        }
        #expect(error?.code == .notParticipant)
        #expect(tags == [.subject, .text, .recall, .leave])
        #expect(recalled == [2])
    }

    @Test func `an unkept message reaches the participants whom presence shows as online`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let (ada, bea, chat) = try await server.pair()
                let one = try Connections().client(server.url, token: ada.token)
                let other = try Connections().client(server.url, token: bea.token)
                try await running(one, other) {
                    var presence = await one.presence(in: chat).makeAsyncIterator()
                    var here: Set<UserID> = []
                    while here != [ada.id, bea.id], let update = try await presence.next() {
                        switch update {
                        case .list(let online): here = online
                        case .change(let change) where change.isOnline: here.insert(change.user)
                        case .change(let change): here.remove(change.user)
                        }
                    }
                    var log = await other.messages(in: chat).makeAsyncIterator()
                    #expect(try await log.next() == .list([]))
                    try await one.pass(MessageDraft(tag: .text, content: "now"), to: chat)
                    guard case .change(.passed(let message))? = try await log.next() else {
                        Issue.record("Nothing passed.")
                        return
                    }
                    #expect(message.content == "now")
                    #expect(message.number == nil)
                }
                #expect(try await server.store.chat(chat).last == 0)
            }
        }
    }

    @Test func `the world shows everybody's pin without an account, also after a cut`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let connections = Connections()
                let mover = try connections.client(server.url, token: nil)
                let watcher = try Connections().client(server.url, token: nil)
                let (here, there) = (
                    position(59.9139, 10.7522).coordinate, position(-33.5, -70.25).coordinate
                )
                try await running(mover, watcher) {
                    var world = await watcher.world().makeAsyncIterator()
                    guard case .list? = try await world.next() else {
                        Issue.record("No list first.")
                        return
                    }
                    await mover.movePin(to: here)
                    let first = try await Self.mover(at: here, &world)
                    connections.cut()
                    let second = try await Self.mover(at: here, &world)
                    #expect(first != second)
                    await mover.movePin(to: there)
                    #expect(try await Self.mover(at: there, &world) == second)
                    await mover.removePin()
                    while let update = try await world.next() {
                        if update == .change(.left(second)) { break }
                    }
                }
            }
        }
    }

    /// Who is the next to be at a place.
    private static func mover(
        at place: Coordinate,
        _ world: inout LiveUpdates<WorldPeople, WorldChange>.AsyncIterator
    ) async throws -> String {
        while let update = try await world.next() {
            if case .change(.moved(let id, place)) = update { return id }
        }
        throw CancellationError()
    }

    @Test func `a token that the server doesn't know ends the client`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let client = try SharingClient(server: server.url, token: "nonsense")
                let error = await #expect(throws: SharingError.self) { try await client.run() }
                #expect(error?.code == .invalidCredentials)
            }
        }
    }
}

extension AsyncStream {
    init(_ elements: [Element]) where Element: Sendable {
        self.init { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
    }
}
