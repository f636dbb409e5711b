import Synchronization
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

struct ExpiryClockTests {
    /// Two clocks that the test sets.
    private final class Clocks: Sendable {
        private let state = Mutex(
            (wall: Timestamp(milliseconds: 1_764_000_000_000), uptime: ContinuousClock.now)
        )

        func expiry(notBefore floor: Timestamp? = nil) -> ExpiryClock {
            ExpiryClock(
                notBefore: floor,
                wall: { self.state.withLock(\.wall) },
                uptime: { self.state.withLock(\.uptime) }
            )
        }

        var wall: Timestamp { state.withLock(\.wall) }

        func pass(_ duration: Duration) {
            state.withLock { $0 = ($0.wall + duration, $0.uptime + duration) }
        }

        func set(forward duration: Duration) {
            state.withLock { $0.wall = $0.wall + duration }
        }
    }

    @Test func `it is the wall clock while that goes on`() {
        let clocks = Clocks()
        let clock = clocks.expiry()
        for _ in 0..<10 {
            clocks.pass(.seconds(3))
            #expect(clock.now == clocks.wall)
        }
        clocks.set(forward: .seconds(3_600))
        #expect(clock.now == clocks.wall)
    }

    @Test func `when the wall clock is set back it goes on, and meets it again`() {
        let clocks = Clocks()
        let clock = clocks.expiry()
        let before = clock.now
        clocks.set(forward: .seconds(-86_400))
        #expect(clock.now == before)
        clocks.pass(.seconds(60))
        #expect(clock.now == before + .seconds(60))
        clocks.set(forward: .seconds(86_500))
        #expect(clock.now == clocks.wall)
    }

    @Test func `it begins at the newest time that was reached before`() {
        let clocks = Clocks()
        let floor = clocks.wall + .seconds(600)
        let clock = clocks.expiry(notBefore: floor)
        #expect(clock.now == floor)
        clocks.pass(.seconds(10))
        #expect(clock.now == floor + .seconds(10))
    }
}
