import TestSupport
import Testing
import YonderBus

@testable import YonderWorld

/// Nodes whose frames are lost, repeated and overtaken, and a plain list of what each node's members are.
private struct Nodes {
    enum Content {
        case alive
        case ask(UInt64)
        case present
        case news(WorldNews)
    }

    struct Frame {
        let node: UInt64
        let number: UInt64
        let content: Content
    }

    /// A node: a replica, with the work of `NodeLink`, `Exchange` and a loop's room around it.
    struct Node {
        let number: UInt64
        var replica: WorldReplica
        var roll = NodeRoll()
        var unanswered: Set<UInt64> = []
        var frames: UInt64 = 0

        /// The node's own members with their positions, to compare with.
        var members: [WorldID: [UInt8]] = [:]

        /// The pins of all nodes as the node's members are shown them.
        var picture: [WorldID: [UInt8]] = [:]

        init(_ number: UInt64) {
            self.number = number
            replica = WorldReplica(node: number)
        }
    }

    var random: SeededGenerator
    var nodes: [Node]
    var lost: [UInt64] = []

    /// The frames on their way, from the first index to the second.
    var queues: [[Int]: [Frame]] = [:]
    private var nextNumber: UInt64 = 100

    init(_ count: Int, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        nodes = (0..<count).map { Node(UInt64(10 + $0)) }
    }

    mutating func tell(_ content: Content, from index: Int) {
        nodes[index].frames += 1
        let frame = Frame(node: nodes[index].number, number: nodes[index].frames, content: content)
        for other in nodes.indices where other != index { queues[[index, other], default: []].append(frame) }
    }

    /// A member joins, moves or leaves.
    mutating func act(on index: Int) {
        let member = WorldID.numbered(Int.random(in: 0..<32, using: &random))
        guard nodes[index].members[member] != nil else {
            // Names are drawn among those that aren't shown.
            if nodes[index].picture[member] == nil { happened([.joined(member)], on: index) }
            return
        }
        let place = Int.random(in: 0..<90, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: happened([.left(member)], on: index)
        case 1: happened([.left(member), .joined(member)], on: index)
        default: happened([.moved(member, place), .moved(member, place / 2)], on: index)
        }
    }

    private mutating func happened(_ events: [WorldEvent], on index: Int) {
        for event in events {
            nodes[index].members[event.member] = event.position
            nodes[index].picture[event.member] = event.position
        }
        perform(nodes[index].replica.happened(events), on: index)
    }

    private mutating func perform(_ change: WorldReplica.Change, on index: Int) {
        if !change.told.isEmpty { tell(.news(.happened(change.told)), from: index) }
        for event in change.shown { nodes[index].picture[event.member] = event.position }
        for name in change.lost { rename(name, on: index) }
    }

    private mutating func rename(_ name: WorldID, on index: Int) {
        guard let position = nodes[index].members[name] else { return }
        happened([.left(name)], on: index)
        let free = (0..<32).map(WorldID.numbered).filter { nodes[index].picture[$0] == nil && $0 != name }
        if let new = free.randomElement(using: &random) {
            happened([.joined(new)] + (position.isEmpty ? [] : [.moved(new, at: position)]), on: index)
        }
        for event in nodes[index].replica.events(showing: name) {
            nodes[index].picture[event.member] = event.position
        }
    }

    mutating func receive(_ frame: Frame, on index: Int) {
        let reception = nodes[index].roll.receive(node: frame.node, number: frame.number, at: .now)
        if reception == .new || reception == .gap {
            nodes[index].unanswered.insert(frame.node)
            tell(.ask(frame.node), from: index)
        }
        guard reception != .old else { return }
        switch frame.content {
        case .ask(nodes[index].number):
            tell(.present, from: index)
            _ = nodes[index].replica.asked()
        case .present: nodes[index].unanswered.remove(frame.node)
        case .news(let news): perform(nodes[index].replica.receive(news, from: frame.node), on: index)
        case .alive, .ask: break
        }
    }

    mutating func answer(on index: Int) -> Bool {
        guard let part = nodes[index].replica.takePart(byteLimit: 60) else { return false }
        tell(.news(part), from: index)
        return true
    }

    mutating func beat(on index: Int) {
        tell(.alive, from: index)
        for other in nodes[index].unanswered.sorted() { tell(.ask(other), from: index) }
    }

    /// The pairs of nodes with frames on their way.
    private var ways: [[Int]] {
        queues.filter { !$0.value.isEmpty }.keys.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
    }

    /// A frame arrives, is lost, comes twice, or is overtaken.
    mutating func pass() {
        guard let way = ways.randomElement(using: &random), var frames = queues[way] else { return }
        if frames.count > 1, Int.random(in: 0..<8, using: &random) == 0 { frames.swapAt(0, 1) }
        let frame = frames.removeFirst()
        switch Int.random(in: 0..<8, using: &random) {
        case 0: break
        case 1:
            frames.insert(frame, at: Int.random(in: 0...frames.count, using: &random))
            fallthrough
        default:
            queues[way] = frames
            return receive(frame, on: way[1])
        }
        queues[way] = frames
    }

    /// A node is killed and starts again; the others notice in the end.
    mutating func restart(_ index: Int) {
        lost.append(nodes[index].number)
        nextNumber += 1
        // Sometimes lower than the other nodes' numbers, so that the node keeps equal names.
        let number = Bool.random(using: &random) ? nextNumber : 10 - UInt64(lost.count)
        nodes[index] = Node(number)
        for other in nodes.indices { queues[[other, index]] = nil }
    }

    /// Delivers every frame from now on, with heartbeats, answers and removals, until no node sends a frame but heartbeats.
    mutating func settle() {
        var isBusy = true
        while isBusy {
            for index in nodes.indices { beat(on: index) }
            isBusy = false
            for index in nodes.indices {
                for node in lost {
                    nodes[index].roll.remove(node)
                    nodes[index].unanswered.remove(node)
                    perform(nodes[index].replica.remove(node), on: index)
                }
            }
            while let way = ways.first, let frame = queues[way]?.removeFirst() {
                if case .alive = frame.content {} else { isBusy = true }
                if !lost.contains(frame.node) { receive(frame, on: way[1]) }
            }
            for index in nodes.indices { while answer(on: index) { isBusy = true } }
        }
    }
}

@Suite struct ReplicaSeedTests {
    @Test func `all nodes show the same after any loss, repeat, overtaking, restart and clash of names`() {
        for seed in UInt64(0)..<300 {
            var nodes = Nodes(3, seed: seed)
            for _ in 0..<200 {
                let index = Int.random(in: 0..<3, using: &nodes.random)
                switch Int.random(in: 0..<20, using: &nodes.random) {
                case 0: nodes.beat(on: index)
                case 1..<6: nodes.act(on: index)
                case 6: _ = nodes.answer(on: index)
                case 7 where nodes.lost.count < 3: nodes.restart(index)
                default: nodes.pass()
                }
            }
            nodes.settle()
            let all = nodes.nodes.map(\.members)
            let truth = all.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
            #expect(truth.count == all.map(\.count).reduce(0, +), "a name twice, seed \(seed)")
            for node in nodes.nodes { #expect(node.picture == truth, "node \(node.number), seed \(seed)") }
        }
    }
}
