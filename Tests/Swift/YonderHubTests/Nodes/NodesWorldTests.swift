import Synchronization
import TestSupport
import Testing
import YonderBus
import YonderGeodesy
import YonderModel
import YonderWire
import YonderWorld

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct NodesWorldTests {
    @Test func `members on two nodes see each other join, move and leave`() async throws {
        try await NodesHarness.run { nodes in
            let here = try await nodes.enter(0, on: 0)
            try await nodes.waitFor(1, on: 1)
            let there = try await nodes.enter(1, on: 1)
            #expect(there.others == [here.name: ""])
            #expect(try await here.next() == [there.name, nil])
            try await here.move(to: "1.50,2")
            #expect(try await there.next() == [here.name, "1.50,2"])
            try await there.move(to: "3,4")
            #expect(try await here.next() == [there.name, "3,4"])
            try await here.client.disconnect()
            #expect(try await there.client.next(\.gone) == here.name)
        }
    }

    @Test func `a Socket.IO client is sent the members of another node`() async throws {
        try await NodesHarness.run { nodes in
            var packets = try await nodes.visit(1).makeAsyncIterator()
            let member = try await nodes.enter(0, on: 0)
            try await member.move(to: "1,2")
            try await member.client.disconnect()
            #expect(await packets.next() == #"42["join","\#(member.name)"]"#)
            #expect(await packets.next() == #"42["update","\#(member.name):1,2"]"#)
            #expect(await packets.next() == #"42["disappear","\#(member.name)"]"#)
        }
    }

    @Test func `a pin's time ends on its node, and the pin goes on all`() async throws {
        try await NodesHarness.run { nodes in
            let viewer = try await nodes.enter(1, on: 1)
            let member = try await nodes.enter(0, on: 0)
            #expect(try await viewer.next() == [member.name, nil])
            let until = Timestamp(milliseconds: nodes.nodes[0].now().milliseconds + 3_600_000)
            try await member.move(to: "1,2", #","until":\#(until.milliseconds)"#)
            #expect(try await viewer.next() == [member.name, "1,2"])
            // The viewer's node doesn't end the pin of another node's member.
            nodes.nodes[1].tick(Timestamp(milliseconds: until.milliseconds + 1))
            nodes.nodes[0].tick(Timestamp(milliseconds: until.milliseconds + 1))
            #expect(try await viewer.client.next(\.gone) == member.name)
            #expect(try await viewer.next() == [member.name, nil])
        }
    }

    @Test func `the limit of members counts those of all nodes`() async throws {
        let settings = HubSettings(world: WorldSettings(memberLimit: 2))
        try await NodesHarness.run(settings: settings) { nodes in
            _ = try await nodes.enter(0, on: 0)
            _ = try await nodes.enter(1, on: 0)
            try await nodes.waitFor(2, on: 1)
            let late = try await nodes.connect(2, to: 1)
            try await late.send(#"{"type":"subscribe","id":9,"query":"world"}"#)
            #expect(try await late.next(\.refusal).error.code == .tooMany)
        }
    }

    @Test func `a silent node takes its pins with it, and brings them back`() async throws {
        let isSilent = Atomic(false)
        let fate: @Sendable ([UInt8], Int, Int) -> Int = { _, from, _ in
            from == 0 && isSilent.load(ordering: .relaxed) ? 0 : 1
        }
        try await NodesHarness.run(fate: fate) { nodes in
            let viewer = try await nodes.enter(1, on: 1)
            let member = try await nodes.enter(0, on: 0)
            try await member.move(to: "1,2")
            #expect(try await viewer.next() == [member.name, nil])
            #expect(try await viewer.next() == [member.name, "1,2"])
            isSilent.store(true, ordering: .relaxed)
            #expect(try await viewer.client.next(\.gone) == member.name)
            try await member.move(to: "3,4")
            isSilent.store(false, ordering: .relaxed)
            #expect(try await viewer.next() == [member.name, nil])
            #expect(try await viewer.next() == [member.name, "3,4"])
        }
    }

    @Test func `a node that says it stops takes its pins with it`() async throws {
        try await NodesHarness.run { nodes in
            let viewer = try await nodes.enter(1, on: 1)
            let member = try await nodes.enter(0, on: 0)
            #expect(try await viewer.next() == [member.name, nil])
            nodes.nodes[0].link.leave()
            #expect(try await viewer.client.next(\.gone) == member.name)
        }
    }

    @Test func `after the bus was away all nodes show the same`() async throws {
        let isAway = Atomic(false)
        let fate: @Sendable ([UInt8], Int, Int) -> Int = { _, _, _ in isAway.load(ordering: .relaxed) ? 0 : 1
        }
        try await NodesHarness.run(nodes: 3, fate: fate) { nodes in
            let gone = try await nodes.enter(0, on: 0)
            let stays = try await nodes.enter(1, on: 1)
            for node in 0..<3 { try await nodes.waitFor(2, on: node) }
            isAway.store(true, ordering: .relaxed)
            try await gone.client.disconnect()
            try await stays.move(to: "5,6")
            let new = try await nodes.enter(2, on: 2)
            try await new.move(to: "7,8")
            isAway.store(false, ordering: .relaxed)
            let truth = [stays.name: "5,6", new.name: "7,8"]
            for node in 0..<3 { try await agree(truth, on: node, of: nodes) }
        }
    }

    @Test(arguments: [20, 60])
    func `with frames lost and repeated all nodes show the same in the end`(percent: Int) async throws {
        let random = Mutex(SeededGenerator(seed: UInt64(percent)))
        let isBad = Atomic(true)
        let fate: @Sendable ([UInt8], Int, Int) -> Int = { _, _, _ in
            guard isBad.load(ordering: .relaxed) else { return 1 }
            return random.withLock { random in
                guard Int.random(in: 0..<100, using: &random) < percent else { return 1 }
                return Bool.random(using: &random) ? 0 : 2
            }
        }
        try await NodesHarness.run(nodes: 3, fate: fate) { nodes in
            var truth: [String: String] = [:]
            for round in 0..<30 {
                let member = try await nodes.enter(round % 3, on: round % 3)
                try await member.move(to: "\(round),1")
                if round.isMultiple(of: 4) {
                    try await member.client.disconnect()
                } else {
                    truth[member.name] = "\(round),1"
                }
            }
            isBad.store(false, ordering: .relaxed)
            for node in 0..<3 { try await agree(truth, on: node, of: nodes) }
        }
    }

    @Test func `a member whose name another node gave before is sent its new one, and nobody sees two pins`()
        async throws
    {
        try await NodesHarness.run(nodes: 1) { nodes in
            let viewer = try await nodes.enter(1, on: 0)
            let member = try await nodes.enter(0, on: 0)
            try await member.move(to: "1,2")
            #expect(try await viewer.next() == [member.name, nil])
            #expect(try await viewer.next() == [member.name, "1,2"])
            let name = try #require(WorldID(Array(member.name.utf8)))
            let bus = nodes.medium.join()
            bus.start { _ in }
            // No node has a lower number than 1.
            let news = WorldNews.happened([.joined(name), .moved(name, at: Array("5,6".utf8))])
            let frame = BusFrame(node: 1, number: 1, sent: .now, content: .world(news.encoded()))
            bus.publish(frame.encoded())
            let renamed = try await member.client.next { frame in
                frame.you.flatMap { you in frame.world.map { (you, $0.map(\.pin)) } }
            }
            #expect(renamed.0 != member.name)
            #expect(try await viewer.client.next(\.gone) == member.name)
            #expect(try await viewer.next() == [renamed.0, nil])
            #expect(try await viewer.next() == [renamed.0, "1,2"])
            #expect(try await viewer.next() == [member.name, nil])
            #expect(try await viewer.next() == [member.name, "5,6"])
            // The member's next move is sent under its new name.
            try await member.move(to: "1,3")
            #expect(try await viewer.next() == [renamed.0, "1,3"])
            await bus.close()
        }
    }

    /// Waits until a new member on a node receives these pins in its first answer.
    private func agree(_ pins: [String: String], on node: Int, of nodes: NodesHarness) async throws {
        while true {
            let newcomer = try await nodes.enter(3, on: node)
            try await newcomer.client.disconnect()
            if newcomer.others == pins { return }
        }
    }
}
