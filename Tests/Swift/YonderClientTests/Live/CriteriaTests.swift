import TestSupport
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderClient

@Suite struct CriteriaTests {
    private static func random(using random: inout SeededGenerator, depth: Int = 3) -> Criteria {
        switch random.next() % (depth > 0 ? 9 : 6) {
        case 0: .all
        case 1: .tagged(random.next() % 2 == 0 ? .text : .location)
        case 2: .sent(by: random.next() % 2 == 0 ? Sample.ada : Sample.bea)
        case 3: .since(Int64(random.next() % 10))
        case 4: .taken(from: Sample.time + .seconds(Int64(random.next() % 10)), to: nil)
        case 5: .taken(from: nil, to: Sample.time + .seconds(Int64(random.next() % 10)))
        case 6: .not(Self.random(using: &random, depth: depth - 1))
        case 7: Self.random(using: &random, depth: depth - 1) && Self.random(using: &random, depth: depth - 1)
        default:
            Self.random(using: &random, depth: depth - 1) || Self.random(using: &random, depth: depth - 1)
        }
    }

    @Test func `every matching message is among those that the server sends`() {
        let messages = (1...10).flatMap { number in
            [Sample.ada, Sample.bea].flatMap { sender in
                [MessageTag.text, .location].map { Sample.message(Int64(number), from: sender, tag: $0) }
            }
        }
        for seed in UInt64(0)..<500 {
            var random = SeededGenerator(seed: seed)
            let criteria = Self.random(using: &random)
            let query = criteria.query(in: Sample.chat, latest: false, limit: 1_000)
            for message in messages where criteria.matches(message) {
                #expect(query.matches(message), "seed \(seed)")
            }
        }
    }

    @Test func `a distance is decided over the position`() {
        let near = Sample.message(
            1,
            tag: .location,
            data: MessageData(position: Sample.position(59.9139, 10.7522))
        )
        let far = Sample.message(
            2,
            tag: .location,
            data: MessageData(position: Sample.position(60.9139, 10.7522))
        )
        let center = Sample.position(59.914, 10.753).coordinate
        let criteria = Criteria.tagged(.location) && .within(.kilometers(1), of: center)
        #expect(criteria.matches(near))
        #expect(!criteria.matches(far))
        #expect(!criteria.matches(Sample.message(3, tag: .location)))
        #expect((!criteria).matches(far))
    }
}
