import Testing
import TestSupport
import YonderGeodesy

@testable import YonderPlacesFacade

struct NonceMemoryTests {
    private let start = Timestamp(milliseconds: 1_764_000_012_345)

    @Test func `a nonce is remembered for as long as its request could be right`() {
        for seed in UInt64(0)..<50 {
            var random = SeededGenerator(seed: seed)
            var memory = NonceMemory()
            let signed = start + .milliseconds(Int64.random(in: -300_000...300_000, using: &random))
            #expect(memory.take("n", of: "k", signed: signed, at: start) == .fresh)
            var now = start
            while now <= signed + .seconds(300) || now <= start + .seconds(300) {
                #expect(memory.take("n", of: "k", signed: signed, at: now) == .used, "seed \(seed)")
                now = now + .milliseconds(Int64.random(in: 1...90_000, using: &random))
            }
        }
    }

    @Test func `an expired nonce leaves room, within a minute of its time`() {
        var memory = NonceMemory(capacity: 2, perKey: 2)
        #expect(memory.take("a", of: "k", signed: start, at: start) == .fresh)
        #expect(memory.take("b", of: "k", signed: start, at: start) == .fresh)
        #expect(memory.take("c", of: "k", signed: start, at: start) == .full)
        #expect(memory.take("c", of: "k", signed: start, at: start + .seconds(300)) == .full)
        #expect(memory.take("c", of: "k", signed: start, at: start + .seconds(361)) == .fresh)
        #expect(memory.count == 1)
    }

    @Test func `one key can't take all the room`() {
        var memory = NonceMemory(capacity: 4, perKey: 2)
        #expect(memory.take("a", of: "k", signed: start, at: start) == .fresh)
        #expect(memory.take("b", of: "k", signed: start, at: start) == .fresh)
        #expect(memory.take("c", of: "k", signed: start, at: start) == .full)
        #expect(memory.take("a", of: "l", signed: start, at: start) == .fresh)
        #expect(memory.take("b", of: "l", signed: start, at: start) == .fresh)
        #expect(memory.take("a", of: "m", signed: start, at: start) == .full)
        #expect(memory.count == 4)
    }

    @Test func `a key and a nonce aren't mistaken for others that read the same`() {
        var memory = NonceMemory()
        #expect(memory.take("bc", of: "a", signed: start, at: start) == .fresh)
        #expect(memory.take("c", of: "ab", signed: start, at: start) == .fresh)
    }
}
