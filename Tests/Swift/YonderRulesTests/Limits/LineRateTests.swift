import Synchronization
import Testing
import YonderRules

@Suite struct LineRateTests {
    @Test
    func `a source has a burst of lines and then one a second, and the next line counts what was omitted`() {
        let now = Mutex(ContinuousClock.now)
        let rate = LineRate(uptime: { now.withLock(\.self) })
        for _ in 0..<60 { #expect(rate.take("ann") == 0) }
        for _ in 0..<1_000 { #expect(rate.take("ann") == nil) }
        #expect(rate.take("ben") == 1_000)
        #expect(rate.take("ann") == nil)
        now.withLock { $0 += .seconds(1) }
        #expect(rate.take("ann") == 1)
        #expect(rate.take("ann") == nil)
    }
}
