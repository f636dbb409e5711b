import TestSupport
import Testing
import YonderModel
import YonderRules

@testable import YonderBus

final class LaneGateTests {
    private let start = ContinuousClock.now
    private let hold = Duration.milliseconds(100)
    private var gate = LaneGate(head: 4)

    private func receive(_ number: Int64, of object: Int64, at milliseconds: Int = 0) -> Bool {
        gate.receive(number, of: Commits.id(object), at: start + .milliseconds(milliseconds), hold: hold)
    }

    private func read(_ changes: [(Int64, Int64)], last: Int64, trimmed: Int64 = 0, isComplete: Bool = true)
        -> [Int64]
    {
        let page = LanePage(
            last: last,
            trimmed: trimmed,
            version: 1,
            changes: changes.map { Lanes.change($0.0, of: $0.1) },
            isComplete: isComplete
        )
        return gate.receive(page, after: gate.head, at: start, hold: hold).map(\.number)
    }

    private func wish(at milliseconds: Int = 0) -> LaneGate.Wish? {
        gate.wish(at: start + .milliseconds(milliseconds))
    }

    @Test func `the next change is applied, and one that has come is dropped`() {
        #expect(receive(5, of: 16))
        #expect(!receive(5, of: 16))
        #expect(!receive(4, of: 32))
        #expect(gate.head == 5 && gate.isLevel)
    }

    @Test func `a change behind a missing one is applied at once, and what is missing when it comes`() {
        #expect(receive(6, of: 16))
        #expect(!gate.isLevel && gate.head == 4)
        #expect(!receive(6, of: 16))
        #expect(receive(5, of: 32))
        #expect(gate.head == 6 && gate.isLevel)
    }

    @Test func `an older change of an object isn't applied after a newer one`() {
        #expect(receive(7, of: 16))
        #expect(!receive(6, of: 16))
        #expect(!receive(5, of: 16))
        #expect(gate.head == 7 && gate.isLevel)
        #expect(receive(8, of: 16))
    }

    @Test func `what is missing is read when the hold is over, once`() {
        _ = receive(8, of: 16)
        #expect(wish(at: 99) == nil)
        #expect(wish(at: 100) == .changes(after: 4))
        #expect(wish(at: 500) == nil)
        #expect(read([(5, 32), (6, 48), (8, 16)], last: 8) == [5, 6])
        #expect(gate.head == 8 && gate.isLevel)
    }

    @Test func `a hold ends when the hole closes`() {
        _ = receive(6, of: 16)
        _ = receive(5, of: 32, at: 90)
        #expect(wish(at: 200) == nil)
    }

    @Test func `a page that was cut short is followed by another`() {
        gate.lack(9)
        #expect(wish() == .changes(after: 4))
        #expect(read([(5, 16), (6, 32)], last: 9, isComplete: false) == [5, 6])
        #expect(wish() == .changes(after: 6))
        #expect(read([(9, 48)], last: 9) == [9])
        #expect(gate.isLevel && gate.head == 9)
    }

    @Test func `a page doesn't undo a newer change that has come`() {
        gate.lack(6)
        #expect(wish() == .changes(after: 4))
        #expect(receive(7, of: 16))
        #expect(read([(5, 16), (6, 32)], last: 6) == [6])
        #expect(gate.head == 7 && gate.isLevel)
    }

    @Test func `where deletions are forgotten, the ids of all objects are read, and then the changes`() {
        gate.lack(9)
        #expect(wish() == .changes(after: 4))
        #expect(read([(9, 16)], last: 9, trimmed: 6) == [])
        #expect(wish() == .census)
        // An object that was created while the ids were read: it isn't among them, and must stay.
        #expect(receive(10, of: 32))
        let census = LaneCensus(last: 9, objects: [Commits.id(16)])
        let shown: [ObjectID] = [Commits.id(16), Commits.id(32), Commits.id(48)]
        #expect(gate.receive(census, showing: shown) == [Commits.id(48)])
        #expect(wish() == .changes(after: 4))
        #expect(read([(9, 16)], last: 9, trimmed: 6) == [9])
        #expect(gate.head == 10 && gate.isLevel)
    }

    @Test func `a read that fails is made again after a further hold`() {
        gate.lack(6)
        #expect(wish() != nil)
        gate.readFailed(at: start + .milliseconds(20), hold: hold)
        #expect(wish(at: 119) == nil)
        #expect(wish(at: 120) == .changes(after: 4))
    }

    @Test func `the first sweep only notes a missing number, the second has it read`() {
        gate.sweep(last: 6, past: 4)
        #expect(wish(at: 1_000) == nil)
        gate.sweep(last: 7, past: 4)
        #expect(wish() == .changes(after: 4))
        #expect(read([(7, 16)], last: 7) == [7])
        gate.sweep(last: 7, past: 7)
        #expect(gate.isLevel && wish() == nil)
    }

    @Test func `a number that the store doesn't have costs two reads, and then nothing`() {
        #expect(receive(1 << 50, of: 16))
        gate.lack(1 << 51)
        for _ in 0..<2 {
            #expect(wish(at: 100) == .changes(after: 4))
            #expect(read([], last: 4) == [])
        }
        #expect(gate.isLevel && wish(at: 10_000) == nil)
        #expect(receive(5, of: 16))
        #expect(gate.head == 5)
    }

    @Test func `a number that comes between two reads is waited for by two more`() {
        _ = receive(9, of: 16)
        #expect(wish(at: 100) == .changes(after: 4))
        #expect(read([], last: 4) == [])
        _ = receive(10, of: 32)
        #expect(wish(at: 100) == .changes(after: 4))
        #expect(read([], last: 4) == [])
        #expect(!gate.isLevel && wish(at: 100) == .changes(after: 4))
        #expect(read([(9, 16), (10, 32)], last: 10) == [])
        #expect(gate.head == 10 && gate.isLevel)
    }

    @Test func `a sweep after frames were lost has what is missing read at once`() {
        gate.sweep(last: 5, past: 4, isUrgent: true)
        #expect(wish() == .changes(after: 4))
    }

    @Test func `a store that has lost changes has its lane read anew`() {
        // The sweep's answer is older than a change that arrived during the query: no change is lost.
        _ = receive(5, of: 16)
        gate.sweep(last: 4, past: 4)
        #expect(gate.isLevel)
        gate.sweep(last: 3, past: 5)
        #expect(wish() == .census)
        #expect(gate.receive(LaneCensus(last: 3, objects: []), showing: [Commits.id(16)]) == [Commits.id(16)])
        #expect(wish() == .changes(after: 0))
        #expect(read([(2, 32)], last: 3) == [2])
        #expect(gate.head == 3 && gate.isLevel)
    }

    @Test func `no more numbers are noted than the limit, and what was dropped is read`() {
        for number in 6...Int64(5 + LaneGate.limit) { #expect(receive(number, of: number)) }
        #expect(!receive(Int64(6 + LaneGate.limit), of: 16))
        #expect(wish() == .changes(after: 4))
    }
}
