import Testing
import YonderModel

@testable import YonderHub

@Suite struct SendOrderTests {
    private let start = ContinuousClock.now
    private let refusal = SharingError(.tooManyRequests, "Wait.", retryAfter: .seconds(2))

    private func chat(_ number: Int64) throws -> ChatID { try #require(ChatID(number)) }

    @Test func `messages are accepted while none is refused, without a look at the clock`() throws {
        var order = SendOrder()
        let chat = try chat(1)
        var looks = 0
        func now() -> ContinuousClock.Instant {
            looks += 1
            return start
        }
        #expect(order.check("a", in: chat, at: now()) == nil && order.check("b", in: chat, at: now()) == nil)
        #expect(looks == 0)
    }

    @Test func `behind a refused message every other is refused, until that one is sent again`() throws {
        var order = SendOrder()
        let (one, other) = (try chat(1), try chat(2))
        order.refuse("a", in: one, refusal, at: start)
        #expect(order.check("b", in: one, at: start)?.code == .tooManyRequests)
        #expect(order.check("a", in: other, at: start)?.retryAfter == WriteAllowance.minimalRest)
        #expect(order.check("a", in: one, at: start) == nil)
        #expect(order.check("b", in: one, at: start) == nil)
    }

    @Test func `a message that isn't sent again is waited for ten seconds beyond its retryAfter`() throws {
        var order = SendOrder()
        let chat = try chat(1)
        order.refuse("a", in: chat, refusal, at: start)
        let end = start + .seconds(12)
        #expect(order.check("b", in: chat, at: end - .milliseconds(1)) != nil)
        #expect(order.check("b", in: chat, at: end) == nil)
        #expect(order.check("c", in: chat, at: start) == nil, "it is forgotten for good")
    }
}
