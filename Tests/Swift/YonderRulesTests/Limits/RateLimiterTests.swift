import Testing
import YonderModel
import YonderRules

struct RateLimiterTests {
    private let start = ContinuousClock.now

    @Test func `each caller has a bucket`() {
        var limiter = RateLimiter<Int> { _ in RateLimit(burst: 2, interval: .seconds(10)) }
        for caller in 0..<5 {
            for _ in 0..<2 { #expect(limiter.take([caller], at: start) == nil) }
            #expect(limiter.take([caller], at: start) == .seconds(10))
        }
    }

    @Test func `a refused caller uses no unit of any key`() {
        var limiter = RateLimiter<String> { RateLimit(burst: $0 == "small" ? 1 : 2, interval: .seconds(10)) }
        #expect(limiter.take(["small", "large"], at: start) == nil)
        #expect(limiter.take(["small", "large"], at: start) == .seconds(10))
        #expect(limiter.take(["large"], at: start) == nil)
        #expect(limiter.take(["large"], at: start) == .seconds(10))
    }

    @Test func `a wait is never longer than an empty bucket takes to fill, whatever the clock does`() {
        var limiter = RateLimiter<Int> { _ in RateLimit(burst: 3, interval: .seconds(10)) }
        let tomorrow = start.advanced(by: .seconds(86_400))
        #expect(limiter.take([1], at: tomorrow) == nil)
        #expect(limiter.take([1], at: start) == .seconds(30))
    }

    @Test func `memory is bounded, and the emptiest buckets are kept`() {
        var limiter = RateLimiter<Int>(capacity: 100) {
            RateLimit(burst: $0 < 0 ? 5 : 2, interval: .seconds(10))
        }
        for _ in 0..<5 { #expect(limiter.take([-1], at: start) == nil) }
        for caller in 0..<10_000 { #expect(limiter.take([caller], at: start) == nil) }
        #expect(limiter.count <= 100)
        #expect(limiter.take([-1], at: start) != nil)
    }
}
