import TestSupport
import Testing
import YonderModel

@testable import YonderBus

final class ChatGateTests {
    private let start = ContinuousClock.now
    private let hold = Duration.milliseconds(15)
    private var gate = ChatGate(head: 4)

    private func passes(_ number: Int64) -> Bool { gate.passes(number) }

    private func receive(_ number: Int64, at milliseconds: Int = 0) -> [Int64] {
        gate.receive(Commits.message(number), at: start + .milliseconds(milliseconds), hold: hold)
            .map(\.message.logNumber)
    }

    private func read(_ numbers: [Int64], first: Int64 = 1, isComplete: Bool = true) -> [Int64] {
        gate.receive(
            read: numbers.map { Commits.message($0) },
            first: first,
            isComplete: isComplete,
            at: start,
            hold: hold
        ).map(\.message.logNumber)
    }

    private func wish(at milliseconds: Int = 0) -> ChatGate.Wish? {
        gate.wish(at: start + .milliseconds(milliseconds))
    }

    @Test func `the next number passes`() {
        #expect(receive(5) == [5])
        #expect(passes(6))
        #expect(gate.head == 6 && gate.isLevel)
    }

    @Test func `a number that has passed is dropped`() {
        #expect(receive(4) == [])
        #expect(!passes(4))
        #expect(gate.head == 4 && gate.isLevel)
    }

    @Test func `answers that frames have overtaken don't count as answers without the next number`() {
        // What is read comes by itself before the answer, twice; behind it another number is missing.
        for base in [Int64(4), 6] {
            #expect(receive(base + 2) == [])
            #expect(wish(at: 1_000)?.after == base)
            #expect(receive(base + 1) == [base + 1, base + 2])
            #expect(read([base + 1]) == [])
        }
        #expect(receive(10) == [])
        #expect(wish(at: 2_000)?.after == 8)
        #expect(read([]) == [])
        #expect(receive(9) == [9, 10], "it comes late, and isn't given up")
        #expect(gate.isLevel)
    }

    @Test func `a number that two answers behind the same head don't have is given up`() {
        #expect(receive(7) == [])
        for isLast in [false, true] {
            #expect(wish(at: 1_000)?.after == 4)
            #expect(read([]) == (isLast ? [7] : []))
        }
        #expect(gate.isLevel && gate.head == 7)
    }

    @Test func `a later number waits, and passes behind the missing one`() {
        #expect(receive(7) == [])
        #expect(receive(6) == [])
        #expect(receive(7) == [])
        #expect(!gate.isLevel)
        #expect(!passes(5))
        #expect(receive(5) == [5, 6, 7])
        #expect(gate.isLevel)
    }

    @Test func `what is missing is read when the hold is over, once`() {
        _ = receive(8)
        #expect(wish(at: 14) == nil)
        #expect(wish(at: 15) == ChatGate.Wish(after: 4, below: 8))
        #expect(wish(at: 99) == nil)
        #expect(read([5, 6, 7]) == [5, 6, 7, 8])
        #expect(gate.isLevel)
    }

    @Test func `a hold ends when the hole closes`() {
        _ = receive(6)
        _ = receive(5, at: 10)
        #expect(wish(at: 15) == nil)
        _ = receive(8, at: 14)
        #expect(wish(at: 15) == nil)
        #expect(wish(at: 29) == ChatGate.Wish(after: 6, below: 8))
    }

    @Test func `an answer that was cut short is followed by another read`() {
        _ = receive(9)
        #expect(wish(at: 15) == ChatGate.Wish(after: 4, below: 9))
        #expect(read([5, 6], isComplete: false) == [5, 6])
        #expect(wish() == ChatGate.Wish(after: 6, below: 9))
        #expect(read([7, 8]) == [7, 8, 9])
        #expect(gate.isLevel)
    }

    @Test func `several holes are read at once`() {
        _ = receive(6)
        _ = receive(9)
        #expect(wish(at: 15) == ChatGate.Wish(after: 4, below: nil))
        #expect(read([5, 6, 7, 8, 9, 10]) == [5, 6, 7, 8, 9, 10])
        #expect(gate.isLevel && gate.head == 10)
    }

    @Test func `a read that fails is made again after a further hold`() {
        _ = receive(6)
        #expect(wish(at: 15) != nil)
        gate.readFailed(at: start + .milliseconds(20), hold: hold)
        #expect(wish(at: 34) == nil)
        #expect(wish(at: 35) == ChatGate.Wish(after: 4, below: 6))
    }

    @Test func `what comes while a read is under way isn't passed twice`() {
        _ = receive(7)
        #expect(wish(at: 15) != nil)
        #expect(receive(5) == [5])
        #expect(read([5, 6]) == [6, 7])
    }

    @Test func `numbers that the chat doesn't keep any more are skipped`() {
        _ = receive(9)
        #expect(wish(at: 15) != nil)
        #expect(read([8], first: 8) == [8, 9])
    }

    @Test func `the first sweep only notes a missing number, the second has it read`() {
        gate.sweep(last: 6)
        #expect(wish(at: 1_000) == nil)
        #expect(!gate.isLevel)
        gate.sweep(last: 7)
        #expect(wish() == ChatGate.Wish(after: 4, below: nil))
        #expect(read([5, 6, 7]) == [5, 6, 7])
        gate.sweep(last: 7)
        #expect(gate.isLevel && wish() == nil)
    }

    @Test func `a commit whose frame comes between two sweeps isn't read`() {
        gate.sweep(last: 5)
        #expect(receive(5) == [5])
        gate.sweep(last: 5)
        #expect(wish() == nil)
    }

    @Test func `a sweep after frames were lost has what is missing read at once`() {
        gate.sweep(last: 5, isUrgent: true)
        #expect(wish() == ChatGate.Wish(after: 4, below: nil))
    }

    @Test func `no more is held than the limit, and what was dropped is read`() {
        for number in 6...Int64(6 + ChatGate.limits.count) { _ = receive(number) }
        #expect(wish() == ChatGate.Wish(after: 4, below: nil))
        let last = Int64(5 + ChatGate.limits.count)
        #expect(read([5]) == Array(5...last))
        #expect(wish() == ChatGate.Wish(after: last, below: nil))
        #expect(read([last + 1]) == [last + 1])
        #expect(gate.isLevel)
    }

    @Test(arguments: UInt64(0)..<200)
    func `frames lost, repeated and out of order leave no hole and no duplicate`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var gate = ChatGate(head: 0)
        var (log, arriving, passed): ([Int64], [Int64], [Int64]) = ([], [], [])
        var now = ContinuousClock.now
        var underWay: ChatGate.Wish?
        for step in 0..<600 {
            now += .milliseconds(Int.random(in: 0...3, using: &random))
            if step < 400, Bool.random(using: &random) {
                log.append(Int64(log.count + 1))
                for _ in 0..<Int.random(in: 0...2, using: &random) { arriving.append(Int64(log.count)) }
            }
            if !arriving.isEmpty, Bool.random(using: &random) {
                let number = arriving.remove(at: Int.random(in: 0..<min(9, arriving.count), using: &random))
                let message = Commits.message(number)
                passed += gate.receive(message, at: now, hold: .milliseconds(15)).map(\.message.logNumber)
            }
            if step % 50 == 49 { gate.sweep(last: Int64(log.count)) }
            underWay = underWay ?? gate.wish(at: now)
            if let wish = underWay, Int.random(in: 0..<4, using: &random) == 0 {
                underWay = nil
                guard Int.random(in: 0..<4, using: &random) > 0 else {
                    gate.readFailed(at: now, hold: .milliseconds(15))
                    continue
                }
                let wanted = log.filter { $0 > wish.after && $0 < wish.below ?? .max }
                let page = wanted.prefix(5).map { Commits.message($0) }
                passed += gate.receive(
                    read: page,
                    first: 1,
                    isComplete: page.count == wanted.count,
                    at: now,
                    hold: .milliseconds(15)
                ).map(\.message.logNumber)
            }
        }
        // Sweeps and reads alone bring it to the end.
        for _ in 0..<2_000 where gate.head < log.count {
            now += .milliseconds(20)
            gate.sweep(last: Int64(log.count))
            guard let wish = underWay ?? gate.wish(at: now) else { continue }
            underWay = nil
            let page = log.filter { $0 > wish.after && $0 < wish.below ?? .max }.map { Commits.message($0) }
            passed += gate.receive(read: page, first: 1, isComplete: true, at: now, hold: .zero)
                .map(\.message.logNumber)
        }
        #expect(passed == log, "seed \(seed)")
    }
}
