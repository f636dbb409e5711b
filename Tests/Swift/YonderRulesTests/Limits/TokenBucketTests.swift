import TestSupport
import Testing
import YonderModel
import YonderRules

struct TokenBucketTests {
    private let start = ContinuousClock.now

    @Test func `a burst passes at once, and the next unit after one interval`() {
        var bucket = TokenBucket(RateLimit(burst: 3, interval: .seconds(10)))
        for _ in 0..<3 { #expect(bucket.take(at: start) == nil) }
        #expect(bucket.take(at: start) == .seconds(10))
        #expect(bucket.take(at: start.advanced(by: .seconds(4))) == .seconds(6))
        #expect(bucket.take(at: start.advanced(by: .seconds(10))) == nil)
    }

    @Test func `a refused request uses nothing`() {
        var bucket = TokenBucket(RateLimit(burst: 2, interval: .seconds(1)))
        #expect(bucket.take(2, at: start) == nil)
        for _ in 0..<100 { #expect(bucket.take(at: start) == .seconds(1)) }
    }

    @Test func `more units than the burst pass from a full bucket alone`() {
        var bucket = TokenBucket(RateLimit(burst: 2, perSecond: 1))
        #expect(bucket.take(5, at: start) == nil)
        #expect(bucket.take(1, at: start) == .seconds(4))
        #expect(bucket.take(5, at: start) == .seconds(5))
    }

    @Test func `units given back can be used again`() {
        var bucket = TokenBucket(RateLimit(burst: 1, interval: .seconds(5)))
        #expect(bucket.take(at: start) == nil)
        bucket.giveBack()
        #expect(bucket.isFull(at: start))
        #expect(bucket.take(at: start) == nil)
    }

    @Test func `over any time at most the burst and what came back is used`() {
        let limit = RateLimit(burst: 7, interval: .milliseconds(100))
        for seed in UInt64(0)..<100 {
            var random = SeededGenerator(seed: seed)
            var bucket = TokenBucket(limit)
            var (now, used) = (start, 0)
            for _ in 0..<200 {
                now = now.advanced(by: .milliseconds(Int(random.next() % 90)))
                if bucket.take(at: now) == nil { used += 1 }
                let elapsed = start.duration(to: now)
                #expect(Double(used) <= 7 + elapsed / limit.interval, "seed \(seed)")
            }
        }
    }

    @Test func `reserved units are granted at a steady pace, and no burst follows a rest`() {
        var bucket = TokenBucket(RateLimit(burst: 1, interval: .seconds(1)))
        let patience = Duration.seconds(5)
        #expect(bucket.reserve(patience: patience, at: start) == .zero)
        #expect(bucket.reserve(patience: patience, at: start) == .seconds(1))
        let half = start.advanced(by: .milliseconds(500))
        #expect(bucket.reserve(patience: patience, at: half) == .milliseconds(1_500))
        let later = start.advanced(by: .seconds(60))
        #expect(bucket.reserve(patience: patience, at: later) == .zero)
        #expect(bucket.reserve(patience: patience, at: later) == .seconds(1))
    }

    @Test func `a caller who would wait longer than their patience reserves nothing`() {
        var bucket = TokenBucket(RateLimit(burst: 1, interval: .seconds(1)))
        for expected in [0, 1, 2] {
            #expect(bucket.reserve(patience: .seconds(2), at: start) == .seconds(expected))
        }
        for _ in 0..<100 { #expect(bucket.reserve(patience: .seconds(2), at: start) == nil) }
        #expect(bucket.reserve(patience: .seconds(2), at: start.advanced(by: .seconds(1))) == .seconds(2))
    }

    @Test func `between two reserved units there is at least one interval`() {
        for seed in UInt64(0)..<50 {
            var random = SeededGenerator(seed: seed)
            var bucket = TokenBucket(RateLimit(burst: 1, interval: .seconds(1)))
            var now = start
            var granted: [ContinuousClock.Instant] = []
            for _ in 0..<200 {
                now = now.advanced(by: .milliseconds(Int.random(in: 0...900, using: &random)))
                if let wait = bucket.reserve(patience: .seconds(3), at: now) { granted.append(now + wait) }
            }
            let gaps = zip(granted, granted.dropFirst()).map { $1 - $0 }
            #expect(gaps.allSatisfy { $0 >= .seconds(1) }, "seed \(seed)")
        }
    }
}
