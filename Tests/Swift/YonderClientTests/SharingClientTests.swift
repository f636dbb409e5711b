import Testing
import YonderGeodesy
import YonderLink
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(20))) struct SharingClientTests {
    private let draft = MessageDraft(tag: .text, content: "hi")

    @Test func `a message is sent and answered with its number`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { [draft] server in
            async let sent = client.send(draft, to: Sample.chat, key: "k1")
            let peer = try await server.accept()
            let send = try await peer.nextSend()
            #expect(send == SendFrame(key: "k1", chat: Sample.chat, draft: draft))
            peer.acknowledge(send, number: 57)
            let answer = try await sent
            #expect(answer.id == Message.ID(chat: Sample.chat, number: 57))
            #expect(answer.time == Sample.time)
        }
    }

    @Test func `an unanswered message is sent again under the same key after a cut`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { [draft] server in
            async let sent = client.send(draft, to: Sample.chat)
            let first = try await server.accept()
            let lost = try await first.nextSend()
            first.close()
            let second = try await server.accept()
            let again = try await second.nextSend()
            #expect(again == lost)
            second.acknowledge(again, number: 1)
            #expect(try await sent.id.number == 1)
        }
    }

    @Test func `the next client sends the unanswered messages of an outbox, and not the answered ones`()
        async throws
    {
        let outbox = MemoryOutboxStore()
        let server = FakeServer()
        let first = server.client(outbox: outbox)
        try await server.running(first) { [draft] server in
            async let sent = first.send(draft, to: Sample.chat, key: "a")
            let peer = try await server.accept()
            peer.acknowledge(try await peer.nextSend(), number: 1)
            _ = try await sent
            try await first.enqueue(draft, to: Sample.chat, key: "b")
            try await first.enqueue(draft, to: Sample.chat, key: "c")
            while try await outbox.entries().map(\.key) != ["b", "c"] { await Task.yield() }
        }
        let second = server.client(outbox: outbox)
        try await server.running(second) { server in
            let peer = try await server.accept()
            #expect(try await peer.nextSend().key == "b")
            #expect(try await peer.nextSend().key == "c")
        }
    }

    @Test
    func
        `twenty thousand positions of a day offline reach a server that refuses and cuts, each once, in order`()
        async throws
    {
        let server = FakeServer()
        let outbox = MemoryOutboxStore()
        let client = server.client(outbox: outbox)
        let position = MessageDraft(
            tag: .location,
            data: MessageData(position: Sample.position(59.9139, 10.7522))
        )
        let keys = (0..<20_000).map { "p\($0)" }
        for key in keys {
            try await client.enqueue(position, to: Sample.chat, key: key)
        }
        try await server.running(client) { server in
            var accepted: [String] = []
            while accepted.count < keys.count {
                let peer = try await server.accept()
                var refused: String?
                // Each connection is cut behind some thousands, the last of which is stored and not acknowledged.
                for count in 1...7_001 where accepted.count < keys.count {
                    let send = try await peer.nextSend()
                    if refused == nil, count % 1_000 == 0 { refused = send.key }
                    if count % 1_000 == 0 || refused.map({ $0 != send.key }) ?? false {
                        let busy = SharingError(.tooManyRequests, "Too fast.", retryAfter: .milliseconds(1))
                        peer.write(.error(FrameRefusal(busy, key: send.key, chat: send.chat)))
                        continue
                    }
                    refused = nil
                    if accepted.last != send.key { accepted.append(send.key) }
                    guard count < 7_001 || accepted.count == keys.count else { break }
                    peer.acknowledge(send, number: Int64(accepted.count))
                }
                if accepted.count < keys.count { peer.close() }
            }
            #expect(accepted == keys)
            await client.waitUntilSent()
            while try await !outbox.entries().isEmpty { await Task.yield() }
        }
    }

    @Test func `waiting until everything is sent ends with its task, and the others wait on`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { [draft] server in
            try await client.enqueue(draft, to: Sample.chat, key: "k1")
            let peer = try await server.accept()
            let send = try await peer.nextSend()
            let other = Task { await client.waitUntilSent() }
            let canceled = Task { await client.waitUntilSent() }
            canceled.cancel()
            await canceled.value
            peer.acknowledge(send, number: 57)
            await other.value
        }
    }

    @Test func `messages sent while the outbox is read go out behind those in it`() async throws {
        let outbox = MemoryOutboxStore()
        for key in ["a", "b"] { _ = try await outbox.append(draft, to: Sample.chat, key: key) }
        let server = FakeServer()
        let client = server.client(outbox: outbox)
        try await client.enqueue(draft, to: Sample.chat, key: "c")
        try await server.running(client) { server in
            let peer = try await server.accept()
            for key in ["a", "b", "c"] { #expect(try await peer.nextSend().key == key) }
        }
    }

    @Test func `a refusal is thrown to the caller who waits, and otherwise is in the refusals`() async throws
    {
        let server = FakeServer()
        let outbox = MemoryOutboxStore()
        let client = server.client(outbox: outbox)
        try await server.running(client) { [draft] server in
            let peer = try await server.accept()
            try await client.enqueue(draft, to: Sample.chat, key: "k1")
            let send = try await peer.nextSend()
            let error = SharingError(.notParticipant, "You left this chat.")
            peer.write(.error(FrameRefusal(error, key: send.key, chat: send.chat)))
            var refusals = client.refusals.makeAsyncIterator()
            let refused = await refusals.next()
            #expect(refused?.key == "k1")
            #expect(refused?.error == error)
            while try await !outbox.entries().isEmpty { await Task.yield() }

            async let recalled = client.recall(Message.ID(chat: Sample.chat, number: 9))
            guard case .recall(let key, _, 9) = try await peer.next() else {
                Issue.record("No recall.")
                return
            }
            peer.write(
                .error(FrameRefusal(SharingError(.unknownMessage, "None."), key: key, chat: Sample.chat))
            )
            do {
                _ = try await recalled
                Issue.record("Recalled.")
            } catch {
                #expect((error as? SharingError)?.code == .unknownMessage)
            }
        }
    }

    @Test func `a message refused by a busy server is sent again later`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { [draft] server in
            async let sent = client.send(draft, to: Sample.chat)
            let peer = try await server.accept()
            let send = try await peer.nextSend()
            let busy = SharingError(.tooManyRequests, "Too fast.", retryAfter: .milliseconds(1))
            peer.write(.error(FrameRefusal(busy, key: send.key, chat: send.chat)))
            let again = try await peer.nextSend()
            #expect(again == send)
            peer.acknowledge(again, number: 3)
            #expect(try await sent.id.number == 3)
        }
    }

    @Test func `a watched query continues where it stopped`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            var updates = await client.messages(in: Sample.chat).makeAsyncIterator()
            let first = try await server.accept()
            let (id, query) = try await first.nextSubscription()
            #expect(query == .messages(MessageQuery(chat: Sample.chat)))
            first.write(.messages(Self.page(id, topic: 7, [Sample.message(1)], through: 1)))
            first.write(.message(topic: 7, Sample.message(2)))
            first.close()

            let second = try await server.accept()
            let (again, resumed) = try await second.nextSubscription()
            guard case .messages(let query) = resumed else {
                Issue.record("\(resumed)")
                return
            }
            #expect(again == id)
            #expect(query.since == 2)
            second.write(.messages(Self.page(id, topic: 3, [Sample.message(3)], through: 3)))
            second.write(.message(topic: 3, Sample.message(4)))
            guard case .list(let messages)? = try await updates.next() else {
                Issue.record("No list first.")
                return
            }
            var seen = messages.map(\.number)
            while seen.last != 4 {
                guard case .change(.added(let message))? = try await updates.next() else { continue }
                seen.append(message.number)
            }
            #expect(seen == [1, 2, 3, 4])
        }
    }

    @Test func `a query that ended ends its updates with the error`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            var updates = await client.presence(in: Sample.chat).makeAsyncIterator()
            let peer = try await server.accept()
            let (id, _) = try await peer.nextSubscription()
            peer.write(.presence(id: id, topic: 1, isCurrent: true, online: [Sample.ada]))
            #expect(try await updates.next() == .list([Sample.ada]))
            peer.write(.online(topic: 1, Sample.bea, true))
            #expect(try await updates.next() == .change(PresenceChange(user: Sample.bea, isOnline: true)))
            peer.write(.ended(id: id, topic: 1, SharingError(.notParticipant, "You left this chat.")))
            let error = await #expect(throws: SharingError.self) { try await updates.next() }
            #expect(error?.code == .notParticipant)
        }
    }

    @Test func `two readers of one query share a subscription, and the last one ends it`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            let peer = try await server.accept()
            try await Self.readTwice(client, peer)
            guard case .unsubscribe = try await peer.next() else {
                Issue.record("Not unsubscribed.")
                return
            }
        }
    }

    private static func readTwice(_ client: SharingClient, _ peer: Peer) async throws {
        var one = await client.chats().makeAsyncIterator()
        let (id, query) = try await peer.nextSubscription()
        #expect(query == .chats(limit: 1_000))
        peer.write(.chats(id: id, topic: 1, isCurrent: true, []))
        #expect(try await one.next() == .list([]))
        var two = await client.chats().makeAsyncIterator()
        #expect(try await two.next() == .list([]))
        peer.write(.chatLeft(topic: 1, Sample.chat))
        #expect(try await one.next() == .change(.left(Sample.chat)))
        #expect(try await two.next() == .change(.left(Sample.chat)))
    }

    @Test func `a pin is shown again after a cut`() async throws {
        let server = FakeServer()
        let client = server.client()
        let coordinate = Sample.position(59.9139, 10.7522).coordinate
        try await server.running(client) { server in
            let first = try await server.accept()
            await client.movePin(to: coordinate)
            #expect(try await first.nextSubscription().query == .world)
            #expect(try await first.next() == .pin(at: try #require(WorldPosition("59.913900,10.752200"))))
            first.close()
            let second = try await server.accept()
            #expect(try await second.nextSubscription().query == .world)
            #expect(try await second.next() == .pin(at: try #require(WorldPosition("59.913900,10.752200"))))
            await client.removePin()
            guard case .unsubscribe = try await second.next() else {
                Issue.record("Still in the world.")
                return
            }
        }
    }

    @Test func `a pin is in the world again when the client runs a second time`() async throws {
        let server = FakeServer()
        let client = server.client()
        await client.movePin(to: Sample.position(1, 2).coordinate)
        for _ in 0..<2 {
            try await server.running(client) { server in
                let peer = try await server.accept()
                #expect(try await peer.nextSubscription().query == .world)
                #expect(try await peer.next() == .pin(at: try #require(WorldPosition("1.000000,2.000000"))))
            }
        }
    }

    @Test func `a pin that moves too fast is shown where it is last`() async throws {
        let server = FakeServer()
        let clock = StoppedClock()
        let client = server.client(clock: clock)
        try await server.running(client) { server in
            let peer = try await server.accept()
            await client.movePin(to: Sample.position(0, 0).coordinate)
            #expect(try await peer.nextSubscription().query == .world)
            #expect(try await peer.next() == .pin(at: try #require(WorldPosition("0.000000,0.000000"))))
            for step in 1...50 { await client.movePin(to: Sample.position(0, Double(step)).coordinate) }
            await clock.endSleep()
            #expect(try await peer.next() == .pin(at: try #require(WorldPosition("0.000000,50.000000"))))
        }
    }

    @Test func `a pin that a slow connection can't accept is sent when it can`() async throws {
        let server = FakeServer()
        let clock = StoppedClock()
        let gate = Gate()
        let client = SharingClient(clock: clock) { () async throws(LinkClosure) in
            GatedLink(link: try await server.connect(), gate: gate)
        }
        try await server.running(client) { server in
            let peer = try await server.accept()
            await client.movePin(to: Sample.position(1, 2).coordinate)
            #expect(try await peer.nextSubscription().query == .world)
            gate.open()
            await clock.endSleep()
            #expect(try await peer.next() == .pin(at: try #require(WorldPosition("1.000000,2.000000"))))
        }
    }

    @Test func `a refused token ends the client, every update and every request`() async throws {
        let refusal = SharingError(.invalidCredentials, "The server doesn't know this token.")
        let client = SharingClient { () async throws(LinkClosure) in throw .refused(refusal) }
        var updates = await client.chats().makeAsyncIterator()
        let error = await #expect(throws: SharingError.self) { try await client.run() }
        #expect(error == refusal)
        #expect(await #expect(throws: SharingError.self) { try await updates.next() } == refusal)
        #expect(await #expect(throws: SharingError.self) { try await client.leave(Sample.chat) } == refusal)
    }

    @Test func `a message isn't passed without a connection, and an invalid one isn't stored`() async {
        let client = FakeServer().client()
        let unsent = await #expect(throws: SharingError.self) {
            try await client.pass(draft, to: Sample.chat)
        }
        #expect(unsent?.code == .unavailable)
        let reserved = await #expect(throws: SharingError.self) {
            try await client.send(MessageDraft(tag: .leave), to: Sample.chat)
        }
        #expect(reserved?.code == .reservedTag)
    }

    private static func page(_ id: Int64, topic: Int64, _ messages: [Message], through: Int64)
        -> MessagesFrame
    {
        MessagesFrame(id: id, topic: topic, first: 1, through: through, isCurrent: true, messages: messages)
    }
}
