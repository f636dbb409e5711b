import TestSupport
import NIOPosix
import Synchronization
import Testing
import YonderBus
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

/// A node whose store doesn't answer.
@Suite(.timeLimit(.minutes(20))) struct SilenceTests {
    @Test func `after 15 s without an answer of the store, what isn't stored is refused, until there is one`()
        async throws
    {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        try await ExchangeHarness.run(uptime: { start + passed.withLock(\.self) }) { harness in
            let client = try await harness.subscribe(0)
            let unkept = harness.message("a", #","keep":false"#)
            try await client.send(unkept)
            _ = try await client.next(\.sent)
            harness.exchange.storeAnswered(at: start)
            passed.withLock { $0 = .seconds(15) }
            try await client.send(unkept)
            _ = try await client.next(\.sent)
            passed.withLock { $0 = .seconds(16) }
            try await client.send(unkept)
            let refusal = try await client.next(\.refusal)
            #expect(refusal.error.code == .unavailable && refusal.error.retryAfter != nil)
            try await client.send(
                #"{"type":"ask","key":"q","chat":"\#(harness.chat)","user":"\#(harness.people[1].id)"}"#
            )
            #expect(try await client.next(\.refusal).error.code == .unavailable)
            harness.exchange.storeAnswered(at: start + .seconds(16))
            try await client.send(unkept)
            _ = try await client.next(\.sent)
        }
    }

    @Test func `people of a node whose store is silent connect again where another node's store answers`()
        async throws
    {
        try await NodesHarness.run { nodes in
            let person = try await nodes.subscribe(0, to: 0)
            let guest = try await FakeClient(nil, to: nodes.nodes[0], on: nodes.group.next())
            nodes.nodes[0].storeAnswered(at: .now - .seconds(30))
            while !nodes.nodes[0].link.othersHaveStore { await Task.yield() }
            nodes.nodes[0].storeIsSilent()
            while try await person.next() != nil {}
            #expect(try await person.inspect(\.closeCode) == 1013)
            try await guest.send(#"{"type":"ping"}"#)
            _ = try await guest.next(\.pong)
            while nodes.nodes[1].link.othersHaveStore { await Task.yield() }
        }
    }

    @Test func `people stay as long as the other nodes may only not have noticed yet`() async throws {
        try await NodesHarness.run { nodes in
            let person = try await nodes.subscribe(0, to: 0)
            while !nodes.nodes[0].link.othersHaveStore { await Task.yield() }
            nodes.nodes[0].storeAnswered(at: .now - .seconds(17))
            nodes.nodes[0].storeIsSilent()
            try await person.send(nodes.message("a", #","keep":false"#))
            #expect(try await person.next(\.refusal).error.code == .unavailable)
        }
    }

    @Test func `after a commit whose answer was lost lists are read again, once the store answers, and stay`()
        async throws
    {
        try await ExchangeHarness.run { harness in
            let client = try await harness.connect(0)
            try await client.send(#"{"type":"subscribe","id":1,"query":"chats"}"#)
            _ = try await client.next(\.chats)
            var commit = StoreCommit()
            commit.isDoubtful = true
            harness.store.outlet.send(commit)
            // The first of the reads fails: the list is read once more, and not ended.
            harness.gate.failReads(1)
            harness.exchange.storeAnswered(at: .now)
            let frame = try await client.until { $0.chats != nil || $0.ended != nil || $0.refusal != nil }
            #expect(frame.chats?.count == 1)
        }
    }

    @Test func `a changed chat that couldn't be read comes into the lists all the same`() async throws {
        try await ExchangeHarness.run { harness in
            let client = try await harness.connect(0)
            try await client.send(#"{"type":"subscribe","id":1,"query":"chats"}"#)
            _ = try await client.next(\.chats)
            harness.gate.failReads(1)
            let walk = Submission(
                chat: harness.chat,
                sender: harness.people[0].id,
                key: "s",
                action: .subject("Walk"),
                time: .now
            )
            _ = try await harness.exchange.take(walk)
            let chats = try await client.next(\.chats)
            #expect(chats.map(\.chat.subject) == ["Walk"])
        }
    }

    @Test func `where no other node's store answers, people stay`() async throws {
        try await ExchangeHarness.run { harness in
            let person = try await harness.connect(0)
            harness.exchange.storeAnswered(at: .now - .seconds(30))
            harness.exchange.storeIsSilent()
            try await person.send(#"{"type":"ping"}"#)
            _ = try await person.next(\.pong)
        }
    }
}
