import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct ShareNodesTests {
    @Test func `a heartbeat that one node receives changes the freshness on another`() async throws {
        try await NodesHarness.run { nodes in
            let viewer = try await nodes.connect(1, to: 1)
            try await viewer.send(nodes.query("freshness"))
            try await viewer.until(\.isCurrent)
            let sharer = try await nodes.connect(0, to: 0)
            let share = try await sharer.share(nodes.chat)
            #expect(try await viewer.next(.slow).cause == .noFix)
            try await sharer.send(
                #"{"type":"send","key":"p","chat":"\#(nodes.chat)","tag":"Location","data":{"latitude":59.9,"longitude":10.7}}"#
            )
            _ = try await viewer.next(.live)
            let head = #"{"type":"heartbeat","chat":"\#(nodes.chat)""#
            try await sharer.send(#"\#(head),"share":"\#(share)","battery":0.25,"paused":true}"#)
            #expect(try await viewer.next(.paused).battery == 0.25)
            // Without an id it belongs to the session's own share.
            try await sharer.send(#"\#(head)}"#)
            _ = try await viewer.next(.live)
        }
    }

    /// Gives a person a session.
    private func signIn(_ person: Int, _ nodes: NodesHarness) async throws -> SecretHash {
        let secret = SecretHash.random()
        let user = nodes.people[person].id
        try await nodes.store.createCredential(
            Credential(secret: secret, kind: .session, user: user, created: .now, expires: nil)
        )
        return secret
    }

    @Test func `a share that sessions on two nodes feed ends with the second, and every node tells it once`()
        async throws
    {
        try await NodesHarness.run(nodes: 3) { nodes in
            let viewer = try await nodes.subscribe(1, to: 2)
            let fresh = try await nodes.connect(1, to: 1)
            try await fresh.send(nodes.query("freshness"))
            try await fresh.until(\.isCurrent)
            let (one, other) = (try await signIn(0, nodes), try await signIn(0, nodes))
            let sharer = try await nodes.connect(0, to: 0, by: one)
            let phone = try await nodes.connect(0, to: 1, by: other)
            let share = try await sharer.share(nodes.chat)
            while nodes.nodes[1].shares.shown(in: nodes.chat).isEmpty { await Task.yield() }
            try await phone.send(#"{"type":"heartbeat","chat":"\#(nodes.chat)","share":"\#(share)"}"#)
            while try await nodes.store.shares().first?.feeders.sources.count != 2 { await Task.yield() }
            let user = nodes.people[0].id
            try await nodes.stores[2].removeCredential(one, of: user, at: .now)
            #expect(try await nodes.store.shares().map(\.end) == [nil])
            try await nodes.stores[0].removeCredential(other, of: user, at: .now)
            #expect(try await fresh.next(.ended).cause == .stopped)
            let end = Submission(
                chat: nodes.chat,
                sender: nodes.people[1].id,
                key: "last",
                action: .message(MessageDraft(tag: .text, content: "last")),
                time: .now
            )
            try await nodes.stores[1].submit(end)
            var states: [String] = []
            while true {
                let text = try #require(await viewer.nextText())
                if text.contains(#""content":"last""#) { break }
                if text.contains(#""tag":"Share""#) {
                    states.append(
                        text.contains("started") ? "started" : text.contains("stopped") ? "stopped" : text
                    )
                }
            }
            #expect(states == ["started", "stopped"])
        }
    }

    @Test func `a share that another program ends in the database ends on a node that shows nobody its chat`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let user = harness.people[0].id
            let secret = SecretHash.random()
            try await harness.store.createCredential(
                Credential(secret: secret, kind: .token, user: user, created: .now, expires: nil)
            )
            _ = try await harness.exchange.submit(
                Submission(
                    chat: harness.chat,
                    sender: user,
                    key: "start",
                    action: .startShare(.random(), ShareWish()),
                    time: .now,
                    source: secret.source
                )
            )
            // Its commits come out of its own outlet, which nobody reads.
            let program = MemoryStore(beside: harness.store)
            try await program.removeCredential(secret, of: user, at: .now)
            #expect(harness.exchange.shares.shown(of: user).count == 1)
            await harness.exchange.readEnds()
            #expect(harness.exchange.shares.shown(of: user).isEmpty)
            let shown = harness.exchange.shares.shown(in: harness.chat)
            #expect(shown.map(\.freshness.cause) == [.stopped])
        }
    }

    @Test func `any number of heartbeats ask the store once, and again only after it refused`() throws {
        var memory = FeederMemory()
        let share = try #require(ShareID(1))
        var begun = (0..<1_000).map { _ in memory.begins(share, 7) }
        #expect(begun.first == true && begun.filter(\.self).count == 1)

        memory.forget(share, 7)
        begun = (0..<2).map { _ in memory.begins(share, 7) }
        #expect(begun == [true, false])

        for source in 1...40 as ClosedRange<Int64> { _ = memory.begins(share, 100 + source) }
        let beginsAgain = memory.begins(share, 7)
        #expect(beginsAgain, "the least recent is forgotten")

        var stored = Share(id: share, chat: .random(), user: .random(), started: .now)
        stored.feeders.add(5, at: .now)
        let learned = memory.learn(stored)
        let beginsLearned = memory.begins(share, 5)
        #expect(learned.feeders.isEmpty && !beginsLearned)

        stored.end = Share.End(time: .now, ending: .stopped)
        _ = memory.learn(stored.withoutFeeders)
        let beginsAfterEnd = memory.begins(share, 5)
        #expect(beginsAfterEnd)
    }
}
