import Testing

@testable import YonderBus

final class NodeRollTests {
    private var roll = NodeRoll()
    private let start = ContinuousClock.now

    private func receive(_ node: UInt64, _ number: UInt64, at seconds: Int = 0) -> NodeRoll.Reception {
        roll.receive(node: node, number: number, at: start + .seconds(seconds))
    }

    private func dead(after milliseconds: Int) -> [UInt64] {
        roll.takeDead(at: start + .milliseconds(milliseconds))
    }

    @Test func `a missed frame is noticed with the next one, and an overtaken one is old`() {
        #expect(receive(1, 5) == .new)
        #expect(receive(1, 6) == .next)
        #expect(receive(1, 8) == .gap)
        #expect(receive(1, 7) == .old)
        #expect(receive(1, 8) == .old)
        #expect(receive(1, 9) == .next)
    }

    @Test func `a node that is silent for three heartbeats is gone`() {
        #expect(receive(1, 1) == .new)
        #expect(receive(2, 1, at: 2) == .new)
        #expect(dead(after: 3_000) == [])
        #expect(dead(after: 3_001) == [1])
        #expect(dead(after: 3_002) == [])
        #expect(roll.nodes == [2])
        #expect(receive(1, 2, at: 4) == .new)
    }

    @Test func `a node that stops is forgotten at once`() {
        #expect(receive(1, 1) == .new)
        roll.remove(1)
        #expect(roll.nodes == [])
    }
}
