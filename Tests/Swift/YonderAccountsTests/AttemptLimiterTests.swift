import TestSupport
import Testing
import YonderModel
import YonderRules
import YonderAccounts

@Suite struct AttemptLimiterTests {
    private let start = ContinuousClock.now

    @Test func `a burst is allowed, then one at a time`() {
        var limiter = AttemptLimiter(perAccount: .init(burst: 3, interval: .seconds(10)))
        let keys: [AttemptLimiter.Key] = [.account("ada")]
        for _ in 0..<3 { #expect(limiter.attempt(keys, at: start) == nil) }
        #expect(limiter.attempt(keys, at: start) == .seconds(10))
        #expect(limiter.attempt(keys, at: start + .seconds(4)) == .seconds(6))
        #expect(limiter.attempt(keys, at: start + .seconds(10)) == nil)
        #expect(limiter.attempt(keys, at: start + .seconds(10)) == .seconds(10))
        #expect(limiter.attempt([.account("ben")], at: start) == nil)
    }

    @Test func `a success puts its attempt back`() {
        var limiter = AttemptLimiter(perAccount: .init(burst: 1, interval: .seconds(10)))
        for _ in 0..<100 {
            #expect(limiter.attempt([.account("ada")], at: start) == nil)
            limiter.succeed([.account("ada")])
        }
    }

    @Test func `an attempt that one bucket refuses takes nothing from the other`() {
        var limiter = AttemptLimiter(
            perAccount: .init(burst: 1, interval: .seconds(10)),
            perAddress: .init(burst: 2, interval: .seconds(10))
        )
        #expect(limiter.attempt([.account("ada"), .address("a")], at: start) == nil)
        #expect(limiter.attempt([.account("ada"), .address("a")], at: start) != nil)
        #expect(limiter.attempt([.account("ben"), .address("a")], at: start) == nil)
        #expect(limiter.attempt([.account("cleo"), .address("a")], at: start) != nil)
    }

    @Test func `memory is bounded, and the busiest are kept`() {
        var limiter = AttemptLimiter(
            perAccount: .init(burst: 5, interval: .seconds(10)),
            perAddress: .init(burst: 2, interval: .seconds(10)),
            capacity: 100
        )
        for _ in 0..<5 { _ = limiter.attempt([.account("ada")], at: start) }
        for number in 0..<10_000 { _ = limiter.attempt([.address("\(number)")], at: start) }
        #expect(limiter.count <= 100)
        #expect(limiter.attempt([.account("ada")], at: start) != nil)
    }
}
