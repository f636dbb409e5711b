import Synchronization
import Testing
import YonderRules
import YonderGeodesy
import YonderModel

struct DatabaseClockTests {
    /// A database and a monotonic clock whose times the test sets.
    private final class Machine: Sendable {
        struct State {
            var uptime = ContinuousClock.now
            var time = Timestamp(milliseconds: 1_764_000_000_000)
            var isAway = false
            var warnings: [String] = []
        }

        let state = Mutex(State())

        func wait(_ duration: Duration) {
            state.withLock { state in
                state.uptime += duration
                state.time = state.time + duration
            }
        }

        func clock() async throws -> DatabaseClock {
            try await DatabaseClock(
                sample: { () throws(SharingError) in
                    let sample: ClockSample? = self.state.withLock { state in
                        guard !state.isAway else { return nil }
                        let trip = Duration.milliseconds(2)
                        return ClockSample(
                            sent: state.uptime - trip,
                            time: state.time + .milliseconds(-1),
                            received: state.uptime
                        )
                    }
                    guard let sample else { throw SharingError(.unavailable, "away") }
                    return sample
                },
                uptime: { self.state.withLock(\.uptime) },
                warn: { text in self.state.withLock { $0.warnings.append(text) } }
            )
        }

        var time: Timestamp { state.withLock(\.time) }
        var warnings: Int { state.withLock(\.warnings.count) }
    }

    @Test func `the time is the database's, also between measurements`() async throws {
        let machine = Machine()
        let clock = try await machine.clock()
        for _ in 0..<5 {
            #expect(clock.now == machine.time)
            machine.wait(.seconds(10))
            await clock.measure()
        }
        #expect(clock.isReady && machine.warnings == 0)
    }

    @Test func `a change of over 250 ms is warned of once, and made up for`() async throws {
        let machine = Machine()
        let clock = try await machine.clock()
        machine.state.withLock { $0.time = $0.time + .milliseconds(400) }
        machine.wait(.seconds(10))
        await clock.measure()
        await clock.measure()
        #expect(machine.warnings == 1)
        machine.wait(.seconds(5))
        #expect(clock.now == machine.time)
    }

    @Test func `without the database the time goes on, and after a minute the server isn't ready`()
        async throws
    {
        let machine = Machine()
        let clock = try await machine.clock()
        machine.state.withLock { $0.isAway = true }
        machine.wait(.seconds(50))
        await clock.measure()
        #expect(clock.isReady && clock.now == machine.time)
        machine.wait(.seconds(20))
        await clock.measure()
        #expect(!clock.isReady && clock.now == machine.time)
        machine.state.withLock { $0.isAway = false }
        await clock.measure()
        #expect(clock.isReady)
    }

    @Test func `a server doesn't start without a first measurement`() async throws {
        let machine = Machine()
        machine.state.withLock { $0.isAway = true }
        await #expect(throws: SharingError.self) { _ = try await machine.clock() }
    }
}
