import Synchronization
import Testing
import YonderRules
import YonderModel

struct AttemptMemoryTests {
    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { time.withLock(\.self) }
        func wait(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    @Test func `a used up limit comes back one unit an interval`() async throws {
        let clock = Clock()
        let ledger = AttemptMemory(uptime: { clock.now })
        let units = [AttemptUnit("a", limit: RateLimit(burst: 2, interval: .seconds(10)))]
        #expect(try await ledger.take(units) == nil)
        #expect(try await ledger.take(units) == nil)
        #expect(try await ledger.take(units) == .seconds(10))
        clock.wait(.seconds(10))
        #expect(try await ledger.take(units) == nil)
        #expect(try await ledger.take(units) == .seconds(10))
    }
}
