import Synchronization
import Testing
import YonderGeodesy
import YonderLink
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(20))) struct StopCallTests {
    private static let share: ShareID = Sample.identifier(5)
    private static let tap = Sample.time + .seconds(10)

    /// A client that never connects.
    private static func offline(_ outbox: any OutboxStore, at now: Timestamp = tap) -> SharingClient {
        SharingClient(outbox: outbox, now: { now }) { () async throws(LinkClosure) in
            throw .lost("Nobody is there.")
        }
    }

    private static func draft(_ seconds: Int) -> MessageDraft {
        var position = Sample.position(59.9, 10.7)
        position.timestamp = Sample.time + .seconds(seconds)
        return MessageDraft(tag: .location, data: MessageData(position: position))
    }

    /// The stops that wait, once there are any of which this is so.
    private static func waiting(_ client: SharingClient, outlive: Bool) async -> [WaitingStop] {
        for await stops in client.waitingStops where stops.contains(where: { $0.outlivesProcess == outlive })
        {
            return stops
        }
        return []
    }

    /// Stops without a connection, in a client that runs or doesn't, and lets the client go when the stop is kept.
    private static func stopOffline(_ outbox: KeptOutbox, isRunning: Bool, chat: ChatID? = nil) async throws {
        let client = offline(outbox)
        try await withThrowingTaskGroup(of: Void.self) { group in
            if isRunning { group.addTask { try? await client.run() } }
            group.addTask {
                if let chat {
                    _ = try? await client.stopShares(in: chat)
                } else {
                    _ = try? await client.stopShares()
                }
            }
            _ = await waiting(client, outlive: true)
            await #expect(throws: SharingError.self) { try await client.enqueue(draft(11), to: Sample.chat) }
            try await client.enqueue(draft(9), to: Sample.chat, key: "before")
            group.cancelAll()
        }
    }

    @Test(arguments: [true, false])
    func `a stop without a connection outlives the process, and goes out first with the time of the tap`(
        isRunning: Bool
    )
        async throws
    {
        let outbox = KeptOutbox()
        try await Self.stopOffline(outbox, isRunning: isRunning)
        // As if it had been written by another program.
        _ = try await outbox.append(Self.draft(11), to: Sample.chat, key: "after")
        let server = FakeServer()
        let client = server.client(outbox: outbox, now: { Self.tap + .seconds(3_600) })
        try await server.running(client) { server in
            let peer = try await server.accept(at: Self.tap + .seconds(3_600))
            let (key, stop) = try await peer.nextStop()
            #expect(stop == ShareStop(before: Self.tap))
            let send = try await peer.nextSend()
            #expect(send.key == "before")
            peer.write(.stopped(key: key, [Self.share]))
            peer.acknowledge(send, number: 1)
            await client.waitUntilSent()
            while try await !outbox.entries().isEmpty || !outbox.kept.isEmpty { await Task.yield() }
            var refusals = client.refusals.makeAsyncIterator()
            #expect(await refusals.next()?.key == "after")
        }
    }

    @Test func `a stop whose answer was lost is sent again by the next process, which is harmless`()
        async throws
    {
        let outbox = KeptOutbox()
        let server = FakeServer()
        let first = server.client(outbox: outbox, now: { Self.tap })
        let keys = Mutex<[String]>([])
        try await server.running(first) { server in
            let peer = try await server.accept(at: Self.tap)
            async let _ = first.stopShares()
            let (key, _) = try await peer.nextStop()
            keys.withLock { $0.append(key) }
            _ = await Self.waiting(first, outlive: true)
        }
        let second = server.client(outbox: outbox, now: { Self.tap })
        try await server.running(second) { server in
            let peer = try await server.accept(at: Self.tap)
            let (key, stop) = try await peer.nextStop()
            #expect(keys.withLock { $0 == [key] } && stop == ShareStop(before: Self.tap))
            peer.write(.stopped(key: key, []))
            while !outbox.kept.isEmpty { await Task.yield() }
            #expect(await second.stops.isIdle)
        }
    }

    @Test func `a store that fails is told, and the stop goes out while the process lives`() async throws {
        for outbox in [KeptOutbox(.full), MemoryOutboxStore()] as [any OutboxStore] {
            let server = FakeServer()
            let client = server.client(outbox: outbox, now: { Self.tap })
            try await server.running(client) { server in
                let first = try await server.accept(at: Self.tap)
                first.close()
                async let stopped = client.stopShares()
                #expect(await Self.waiting(client, outlive: false).map(\.stop.chat) == [nil])
                let second = try await server.accept(at: Self.tap)
                let (key, _) = try await second.nextStop()
                second.write(.stopped(key: key, [Self.share]))
                #expect(try await stopped == [Self.share])
            }
        }
    }

    @Test func `a client that the server refused keeps a stop for the next one, and answers at once`()
        async throws
    {
        let refusal = SharingError(.invalidCredentials, "The server doesn't know this token.")
        let outbox = KeptOutbox()
        let client = SharingClient(outbox: outbox, now: { Self.tap }) { () async throws(LinkClosure) in
            throw .refused(refusal)
        }
        await #expect(throws: refusal) { try await client.run() }
        await #expect(throws: refusal) { try await client.stopShares() }
        await #expect(throws: refusal) { try await client.stopShare(Self.share, in: Sample.chat) }
        #expect(Set(outbox.kept.map(\.share)) == [nil, Self.share])
    }

    @Test func `a stop doesn't wait for a store that never answers`() async throws {
        let server = FakeServer()
        let outbox = KeptOutbox(.silent)
        let client = server.client(outbox: outbox, now: { Self.tap })
        try await server.running(client) { server in
            let peer = try await server.accept(at: Self.tap)
            async let stopped = client.stopShares()
            let (key, _) = try await peer.nextStop()
            peer.write(.stopped(key: key, [Self.share]))
            #expect(try await stopped == [Self.share])
        }
    }

    @Test func `a stop is sent before the queue, pins and subscriptions, and nothing recorded after it`()
        async throws
    {
        let server = FakeServer()
        let client = server.client(now: { Self.tap })
        try await client.enqueue(Self.draft(9), to: Sample.chat, key: "a")
        await client.movePin(to: Sample.position(1, 2).coordinate)
        let updates = await client.shares()
        async let stopped = client.stopShare(Self.share, in: Sample.chat)
        _ = await Self.waiting(client, outlive: false)
        await #expect(throws: SharingError.self) { try await client.pass(Self.draft(11), to: Sample.chat) }
        await #expect(throws: SharingError.self) { try await client.send(Self.draft(11), to: Sample.chat) }
        try await server.running(client) { server in
            let peer = try await server.accept(at: Self.tap)
            let (key, stop) = try await peer.nextStop()
            #expect(stop == ShareStop(chat: Sample.chat, share: Self.share, before: Self.tap))
            peer.write(.stopped(key: key, [Self.share]))
        }
        #expect(try await stopped == nil)
        withExtendedLifetime(updates) {}
    }

    @Test func `a start that waits is taken back by a stop, and one on its way ends as it begins`()
        async throws
    {
        let server = FakeServer()
        let client = server.client(now: { Self.tap })
        let wish = ShareWish()
        let waiting = Task { () async throws(SharingError) in
            try await client.startShare(in: Sample.chat, wish)
        }
        while await client.requests.isIdle { await Task.yield() }
        let everything = Task { () async throws(SharingError) in try await client.stopShares() }
        await #expect(throws: SharingError.self) { try await waiting.value }
        try await server.running(client) { server in
            let peer = try await server.accept(at: Self.tap)
            let (first, _) = try await peer.nextStop()
            peer.write(.stopped(key: first, []))

            async let started = client.startShare(in: Sample.chat, wish)
            guard case .startShare(let start, _, _) = try await peer.next() else { throw CancellationError() }
            async let again = client.stopShares(in: Sample.chat)
            let (second, stop) = try await peer.nextStop()
            #expect(stop == ShareStop(chat: Sample.chat))
            peer.write(.stopped(key: second, []))
            let share = Share(id: Self.share, chat: Sample.chat, user: Sample.ada, started: Self.tap)
            let shown = ShownShare(share, Freshness(state: .slow, cause: .noFix, asOf: Self.tap))
            peer.write(.shared(key: start, shown, number: 1, time: Self.tap))
            guard case .stopShare(_, Sample.chat, Self.share) = try await peer.next() else {
                Issue.record("The share goes on.")
                return
            }
            _ = try await (started, again)
        }
        #expect(try await everything.value.isEmpty)
    }

    @Test func `the end of a location sharing stops the chat's shares, without a connection later`()
        async throws
    {
        let server = FakeServer()
        let client = server.client(now: { Self.tap })
        let sharing = LocationSharing(over: client)
        await sharing.start(with: .chat(Sample.chat))
        try await sharing.end(with: .chat(Sample.chat))
        #expect(await sharing.audiences.isEmpty)
        try await server.running(client) { server in
            let peer = try await server.accept(at: Self.tap)
            #expect(try await peer.nextStop().stop == ShareStop(chat: Sample.chat, before: Self.tap))
        }
    }
}
