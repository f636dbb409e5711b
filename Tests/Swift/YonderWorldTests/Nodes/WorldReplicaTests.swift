import Testing

@testable import YonderWorld

@Suite struct WorldReplicaTests {
    private let ada = WorldID.numbered(1)
    private let ben = WorldID.numbered(2)
    private let eve = WorldID.numbered(3)

    /// The replica of node 5, after it received from node 7 that Ada is at 1 and Ben has no position.
    private func replica() -> WorldReplica {
        var replica = WorldReplica(node: 5)
        _ = replica.receive(.happened([.joined(ada), .moved(ada, 1), .joined(ben)]), from: 7)
        return replica
    }

    @Test func `what another node tells is shown, and not told again`() {
        var replica = WorldReplica(node: 5)
        let events: [WorldEvent] = [.joined(ada), .moved(ada, 1), .moved(ada, 2), .left(ada)]
        #expect(replica.receive(.happened(events), from: 7) == .init(shown: events))
    }

    @Test func `what happens on this node is told, and not shown again`() {
        var replica = WorldReplica(node: 5)
        let events: [WorldEvent] = [.joined(ada), .moved(ada, 1), .left(ada), .joined(ada)]
        #expect(replica.happened(events) == .init(told: events))
        #expect(replica.position(of: ada) == [])
    }

    @Test func `an event that was heard before shows nothing, and a move without its join shows both`() {
        var replica = replica()
        #expect(replica.receive(.happened([.moved(ada, 1), .joined(ben)]), from: 7) == .init())
        let change = replica.receive(.happened([.moved(eve, 3), .left(.numbered(9))]), from: 7)
        #expect(change == .init(shown: [.joined(eve), .moved(eve, 3)]))
    }

    @Test func `a pin that is taken away while its member stays disappears for the others`() {
        var replica = replica()
        let change = replica.receive(.happened([.left(ada), .joined(ada)]), from: 7)
        #expect(change == .init(shown: [.left(ada), .joined(ada)]))
        let answer = replica.receive(.pins([.init(ada, 4), .init(ben)], part: 0, isLast: true), from: 7)
        #expect(answer == .init(shown: [.moved(ada, 4)]))
        let hidden = replica.receive(.pins([.init(ada), .init(ben)], part: 0, isLast: true), from: 7)
        #expect(hidden == .init(shown: [.left(ada), .joined(ada)]))
    }

    @Test func `a whole answer shows the difference alone`() {
        var replica = replica()
        let first = replica.receive(.pins([.init(ada, 2)], part: 0, isLast: false), from: 7)
        #expect(first == .init(shown: [.moved(ada, 2)]))
        let last = replica.receive(.pins([.init(eve, 3)], part: 1, isLast: true), from: 7)
        #expect(last == .init(shown: [.joined(eve), .moved(eve, 3), .left(ben)]))
    }

    @Test func `what happens between the parts of an answer stays`() {
        var replica = replica()
        _ = replica.receive(.pins([], part: 0, isLast: false), from: 7)
        _ = replica.receive(.happened([.joined(eve), .moved(ada, 2)]), from: 7)
        let last = replica.receive(.pins([], part: 1, isLast: true), from: 7)
        #expect(last == .init(shown: [.left(ben)]))
        #expect(replica.position(of: eve) == [] && replica.position(of: ada) == Array("2,1".utf8))
    }

    @Test func `an answer of which a part was lost, or whose beginning wasn't heard, removes nothing`() {
        var replica = replica()
        _ = replica.receive(.pins([.init(ada, 1)], part: 0, isLast: false), from: 7)
        #expect(replica.receive(.pins([], part: 2, isLast: true), from: 7) == .init())
        #expect(replica.receive(.pins([], part: 1, isLast: true), from: 7) == .init())
        #expect(replica.position(of: ben) == [])
    }

    @Test func `a node that is gone takes its pins with it, and no others`() {
        var replica = replica()
        _ = replica.receive(.happened([.joined(eve)]), from: 9)
        let change = replica.remove(7)
        #expect(Set(change.shown) == [.left(ada), .left(ben)] && change.shown.count == 2)
        #expect(replica.position(of: eve) == [])
        #expect(replica.remove(7) == .init())
    }

    @Test func `an answer has every pin, in parts of a bounded size, and events between them aren't undone`()
    {
        var owner = WorldReplica(node: 7)
        _ = owner.happened((0..<10).flatMap { [WorldEvent.joined(.numbered($0)), .moved(.numbered($0), 1)] })
        var replica = replica()
        let begins = owner.asked()
        #expect(begins)
        var parts = 0
        while let part = owner.takePart(byteLimit: 60) {
            parts += 1
            guard case .pins(let pins, _, _) = part else { return }
            #expect(pins.count <= 3)
            _ = replica.receive(part, from: 7)
            if parts == 1 {
                // A member that joins, one that moves and one that leaves; their pins may be in the sent part or in a later one.
                let events: [WorldEvent] = [
                    .joined(.numbered(20)), .moved(.numbered(4), 8), .left(.numbered(5)),
                ]
                _ = replica.receive(.happened(owner.happened(events).told), from: 7)
            }
        }
        #expect(parts >= 3)
        for number in 0..<32 {
            let member = WorldID.numbered(number)
            #expect(replica.position(of: member) == owner.position(of: member))
        }
    }

    @Test func `who asks during an answer gets another one behind it`() {
        var owner = WorldReplica(node: 7)
        _ = owner.happened([.joined(ada), .joined(ben)])
        var begins = [owner.asked()]
        _ = owner.takePart(byteLimit: 1)
        begins += [owner.asked(), owner.asked()]
        var numbers: [Int] = []
        while case .pins(_, let part, _)? = owner.takePart(byteLimit: 1) { numbers.append(part) }
        #expect(numbers == [1, 0, 1])
        begins.append(owner.asked())
        #expect(begins == [true, false, false, true])
    }

    @Test func `a name that two nodes gave belongs to the lower one, whichever is heard first`() {
        var loser = WorldReplica(node: 7)
        _ = loser.happened([.joined(ada), .moved(ada, 1)])
        let heard = loser.receive(.happened([.joined(ada), .moved(ada, 2)]), from: 5)
        #expect(heard.lost == [ada] && heard.told == [.left(ada)])
        // Events of the member before its new name aren't sent to other nodes.
        #expect(loser.happened([.moved(ada, 3), .left(ada)]) == .init())
        #expect(loser.events(showing: ada) == [.joined(ada), .moved(ada, 2)])

        var late = WorldReplica(node: 7)
        _ = late.receive(.happened([.joined(ada)]), from: 5)
        #expect(late.happened([.joined(ada), .moved(ada, 1)]) == .init(lost: [ada]))

        var winner = WorldReplica(node: 5)
        _ = winner.happened([.joined(ada)])
        #expect(winner.receive(.happened([.joined(ada), .moved(ada, 1), .left(ada)]), from: 7) == .init())
        // Node 7 hasn't received the name's owner yet; its member is shown when the own member leaves.
        _ = winner.receive(.happened([.joined(ada), .moved(ada, 1)]), from: 7)
        let left = winner.happened([.left(ada)])
        #expect(left == .init(shown: [.joined(ada), .moved(ada, 1)], told: [.left(ada)]))
    }

    @Test func `a name that two other nodes gave is shown once`() {
        for order in [[5, 7], [7, 5] as [UInt64]] {
            var replica = WorldReplica(node: 1)
            var shown = order.flatMap { replica.receive(.happened([.joined(ada)]), from: $0).shown }
            #expect(shown == [.joined(ada)])
            shown = replica.receive(.happened([.moved(ada, 7)]), from: 7).shown
            #expect(shown == [])
            shown = replica.receive(.happened([.moved(ada, 5)]), from: 5).shown
            #expect(shown == [.moved(ada, 5)])
            // After the node with the lower number is removed, the other node's pin is shown.
            #expect(replica.remove(5).shown == [.moved(ada, 7)])
        }
    }

    @Test func `more nodes than may be remembered are not`() {
        var replica = WorldReplica(node: 1)
        for node in 0..<UInt64(WorldReplica.nodeLimit) {
            _ = replica.receive(.happened([.joined(.numbered(Int(node)))]), from: node + 2)
        }
        #expect(replica.receive(.happened([.joined(ada)]), from: 9_999) == .init())
        #expect(replica.remove(9_999) == .init())
    }
}
