import Testing
import YonderModel
import YonderRules

@Suite struct AnswerCacheTests {
    private let start = ContinuousClock.now

    @Test func `an answer is kept for its time and no longer`() {
        var cache = AnswerCache<Int>(capacity: 10, lifetime: .seconds(10))
        cache.keep(1, to: "a", at: start)
        #expect(cache.answer(to: "a", at: start + .seconds(9)) == 1)
        #expect(cache.answer(to: "b", at: start) == nil)
        #expect(cache.answer(to: "a", at: start + .seconds(10)) == nil)
        #expect(cache.count == 0)
    }

    @Test func `there are never more than fit, and those used last stay`() {
        var cache = AnswerCache<Int>(capacity: 100, lifetime: .seconds(10))
        for number in 0..<10_000 {
            cache.keep(number, to: "\(number)", at: start)
            #expect(cache.answer(to: "0", at: start) == 0)
            #expect(cache.count <= 100)
        }
        #expect(cache.answer(to: "9999", at: start) == 9_999)
        var single = AnswerCache<Int>(capacity: 0, lifetime: .seconds(10))
        single.keep(1, to: "a", at: start)
        single.keep(2, to: "b", at: start)
        #expect(single.count == 1 && single.answer(to: "b", at: start) == 2)
    }
}
