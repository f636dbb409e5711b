import TestSupport
import Testing

@testable import YonderSocketIOClient

@Suite struct AcknowledgementsTests {
    @Test func `invariant 1 of Acknowledgements: each caller is returned once, after any calls`() {
        for seed in UInt64(0)..<100 {
            var random = SeededGenerator(seed: seed)
            var waiting = Acknowledgements<UInt64>()
            var returned: [UInt64] = []
            for id in UInt64(1)...50 {
                let now = Duration.seconds(Int64(id))
                waiting.add(id, id, until: now + .seconds(Int64.random(in: 0...20, using: &random)))
                returned += waiting.remove(UInt64.random(in: 1...50, using: &random)).map { [$0] } ?? []
                if Bool.random(using: &random) { returned += waiting.removeExpired(at: now) }
            }
            returned += waiting.removeAll()
            #expect(returned.sorted() == Array(1...50), "seed \(seed)")
            #expect(waiting.deadline == nil && waiting.removeAll().isEmpty)
        }
    }

    @Test func `the deadline is that of the first time that is over, or before it`() {
        var waiting = Acknowledgements<Int>()
        waiting.add(1, 10, until: .seconds(5))
        waiting.add(2, 20, until: .seconds(3))
        #expect(waiting.deadline == .seconds(3))
        #expect(waiting.removeExpired(at: .seconds(2)).isEmpty)
        #expect(waiting.removeExpired(at: .seconds(3)) == [20])
        #expect(waiting.deadline == .seconds(5))
    }

    @Test func `invariant 2 of Acknowledgements: at most a thousand wait`() {
        var waiting = Acknowledgements<Int>()
        for id in UInt64(1)...1_000 {
            #expect(!waiting.isFull)
            waiting.add(id, 0, until: .zero)
        }
        #expect(waiting.isFull)
    }
}
