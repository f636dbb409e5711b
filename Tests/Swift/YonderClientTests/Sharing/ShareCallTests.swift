import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(20))) struct ShareCallTests {
    private static let shown = ShownShare(
        Share(id: Sample.identifier(5), chat: Sample.chat, user: Sample.ada, started: Sample.time),
        Freshness(state: .slow, cause: .noFix, asOf: Sample.time)
    )

    @Test func `a share is started, changed and stopped, and each answer has it`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            let peer = try await server.accept()
            let wish = ShareWish(until: Sample.time + .seconds(3_600), keeping: .expiring)
            async let started = client.startShare(in: Sample.chat, wish)
            guard case .startShare(let key, Sample.chat, wish) = try await peer.next() else {
                Issue.record("The share isn't started.")
                return
            }
            peer.write(.shared(key: key, Self.shown, number: 1, time: Sample.time))
            #expect(try await started == Self.shown)

            let edit = ShareEdit(until: .some(nil))
            async let changed = client.changeShare(Self.shown.id, in: Sample.chat, edit)
            guard case .changeShare(let second, Sample.chat, Self.shown.id, edit) = try await peer.next()
            else {
                Issue.record("The share isn't changed.")
                return
            }
            peer.write(.shared(key: second, Self.shown, number: 2, time: Sample.time))
            #expect(try await changed == Self.shown)

            async let stopped = client.stopShare(Self.shown.id, in: Sample.chat)
            guard case .stopShare(let third, Sample.chat, Self.shown.id) = try await peer.next() else {
                Issue.record("The share isn't stopped.")
                return
            }
            let ended = SharingError(.shareEnded, "It ended before.")
            peer.write(.error(FrameRefusal(ended, key: third, chat: Sample.chat)))
            do {
                _ = try await stopped
                Issue.record("The refusal is lost.")
            } catch {
                #expect(error as? SharingError == ended)
            }
        }
    }

    @Test func `a participant's question reaches the app, and a position in that chat answers it`()
        async throws
    {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            let peer = try await server.accept()
            peer.write(.asked(chat: Sample.chat, user: Sample.identifier(9)))
            var questions = client.questions.makeAsyncIterator()
            let question = try #require(await questions.next())
            #expect(question.chat == Sample.chat && question.asker == Sample.identifier(9))

            let draft = MessageDraft(tag: .text, content: "Here.")
            async let sent = client.send(draft, to: question.chat)
            guard case .send(let frame) = try await peer.next() else {
                Issue.record("The answer isn't sent.")
                return
            }
            #expect(frame.chat == Sample.chat && frame.draft == draft)
            peer.write(.sent(key: frame.key, chat: Sample.chat, number: 1, time: Sample.time))
            _ = try await sent
        }
    }

    @Test func `every share is stopped with one request, which a cut doesn't lose`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            async let stopped = client.stopShares()
            let first = try await server.accept()
            guard case .stopShares(let key, _) = try await first.next() else {
                Issue.record("The shares aren't stopped.")
                return
            }
            first.close()
            let second = try await server.accept()
            guard case .stopShares(key, _) = try await second.next() else {
                Issue.record("The request isn't sent again.")
                return
            }
            second.write(.stopped(key: key, [Sample.identifier(5), Sample.identifier(6)]))
            #expect(try await stopped == [Sample.identifier(5), Sample.identifier(6)])
        }
    }

    @Test func `a participant is asked where they are, and a heartbeat needs no answer`() async throws {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            let peer = try await server.accept()
            async let asked: Void = client.ask(Sample.bea, in: Sample.chat)
            guard case .ask(let key, Sample.chat, Sample.bea) = try await peer.next() else {
                Issue.record("The participant isn't asked.")
                return
            }
            peer.write(.sent(key: key, chat: Sample.chat, number: nil, time: Sample.time))
            try await asked

            func fix(_ accuracy: Double, _ latitude: Double, _ longitude: Double) -> ShareHeartbeat.Fix {
                let coordinate = Coordinate(latitude: latitude, longitude: longitude)
                return .init(time: Sample.time, accuracy: .meters(accuracy), coordinate: coordinate)
            }
            let exact = fix(5.678, 52.123_456_789, -13.000_000_4)
            let heartbeat = try #require(ShareHeartbeat(fix: exact, battery: 0.456_7))
            await client.sendHeartbeat(heartbeat, in: Sample.chat, share: Self.shown.id)
            let sent = ShareHeartbeat(fix: fix(5.7, 52.123_457, -13), battery: 0.46)
            guard case .heartbeat(Sample.chat, Self.shown.id, sent) = try await peer.next() else {
                Issue.record("There is no heartbeat.")
                return
            }
        }
    }

    @Test func `the freshness of a chat and one's own shares are subscribed to and kept current`()
        async throws
    {
        let server = FakeServer()
        let client = server.client()
        try await server.running(client) { server in
            let peer = try await server.accept()
            let queries: [(LiveUpdates<[ShownShare], ShownShare>, StreamQuery, SharesKind)] = [
                (
                    await client.freshness(in: Sample.chat), .freshness(Sample.chat, isPartial: true),
                    .freshness
                ),
                (await client.shares(), .shares, .shares),
            ]
            for (updates, query, kind) in queries {
                var reader = updates.makeAsyncIterator()
                let asked = try await peer.nextSubscription()
                #expect(asked.query == query)
                peer.write(.shares(kind, id: asked.id, topic: asked.id, isCurrent: true, [Self.shown]))
                #expect(try await reader.next() == .list([Self.shown]))
                peer.write(.sharesChanged(kind, topic: asked.id, [ShareChange(Self.shown)]))
                #expect(try await reader.next() == .change(Self.shown))
            }
        }
    }

    @Test func `messages read without a connection are reported once, with the highest number of each chat`()
        async throws
    {
        let server = FakeServer()
        let client = server.client()
        let other: ChatID = Sample.identifier(78)
        for number in [Int64(3), 9, 7] { await client.markRead(Sample.chat, upTo: number) }
        await client.markRead(other, upTo: 2)
        try await server.running(client) { server in
            let peer = try await server.accept()
            var read: [ChatID: Int64] = [:]
            for _ in 0..<2 {
                guard case .read(let chat, let number) = try await peer.next() else {
                    Issue.record("The read number isn't sent.")
                    return
                }
                read[chat] = number
            }
            #expect(read == [Sample.chat: 9, other: 2])
            await client.markRead(other, upTo: 4)
            guard case .read(other, 4) = try await peer.next() else {
                Issue.record("The new read number isn't sent.")
                return
            }
        }
    }
}
