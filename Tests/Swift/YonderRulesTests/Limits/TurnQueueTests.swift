import TestSupport
import Testing
import YonderModel
import YonderRules

@Suite struct TurnQueueTests {
    private static func stranger(_ number: Int) -> TurnTaker { .stranger("192.0.2.\(number)") }

    private func drained<Ticket>(_ queue: TurnQueue<Ticket>) -> [Ticket] {
        var queue = queue
        var tickets: [Ticket] = []
        while let next = queue.removeFirst() { tickets.append(next.ticket) }
        return tickets
    }

    @Test func `known callers and strangers take turns, and each side's callers do`() throws {
        let (ann, ben) = (
            TurnTaker.person(try #require(UserID(1))), TurnTaker.person(try #require(UserID(2)))
        )
        var queue = TurnQueue<String>(limit: 10)
        for ticket in ["a1", "a2", "a3"] { _ = queue.append(ticket, of: ann) }
        _ = queue.append("b1", of: ben)
        for ticket in ["s1", "s2"] { _ = queue.append(ticket, of: Self.stranger(1)) }
        _ = queue.append("t1", of: Self.stranger(2))
        #expect(queue.count == 7 && queue.first() == "a1")
        #expect(drained(queue) == ["a1", "s1", "b1", "t1", "a2", "s2", "a3"])
    }

    @Test func `a full side refuses who has most, and displaces the newest of who has more`() {
        var queue = TurnQueue<Int>(limit: 3)
        for ticket in 1...3 {
            guard case .waits = queue.append(ticket, of: Self.stranger(1)) else {
                Issue.record("\(ticket) must wait")
                return
            }
        }
        if case .refused = queue.append(4, of: Self.stranger(1)) {} else { Issue.record("4 must be refused") }
        if case .displaces(3) = queue.append(5, of: Self.stranger(2)) {
        } else {
            Issue.record("5 displaces 3")
        }
        if case .refused = queue.append(6, of: Self.stranger(2)) {} else { Issue.record("6 must be refused") }
        // The other side has room of its own.
        if case .waits = queue.append(7, of: .server) {} else { Issue.record("7 must wait") }
        #expect(drained(queue) == [7, 1, 5, 2])
    }

    @Test func `strangers who aren't admitted stay where they are`() {
        var queue = TurnQueue<Int>(limit: 3)
        _ = queue.append(1, of: Self.stranger(1))
        #expect(queue.first(admitsStrangers: false) == nil)
        #expect(queue.removeFirst(admitsStrangers: false) == nil)
        _ = queue.append(2, of: .server)
        #expect(queue.removeFirst(admitsStrangers: false)?.ticket == 2)
        #expect(queue.removeFirst()?.ticket == 1)
        #expect(queue.isEmpty)
    }

    @Test func `tickets leave once in any order of calls, and each caller's in their order`() {
        for seed in UInt64(0)..<50 {
            var random = SeededGenerator(seed: seed)
            var queue = TurnQueue<(caller: Int, number: Int)>(limit: 5)
            var waiting: [Int: [Int]] = [:]
            for number in 0..<200 {
                let caller = Int.random(in: 0..<6, using: &random)
                if Bool.random(using: &random) {
                    let taker = caller == 0 ? TurnTaker.server : Self.stranger(caller)
                    switch queue.append((caller, number), of: taker) {
                    case .waits: waiting[caller, default: []].append(number)
                    case .displaces(let other):
                        #expect(waiting[other.caller]?.popLast() == other.number, "seed \(seed)")
                        waiting[caller, default: []].append(number)
                    case .refused: break
                    }
                } else if let next = queue.removeFirst()?.ticket {
                    #expect(waiting[next.caller]?.first == next.number, "seed \(seed)")
                    waiting[next.caller]?.removeFirst()
                }
                #expect(queue.count == waiting.values.map(\.count).reduce(0, +), "seed \(seed)")
            }
        }
    }
}
