package import YonderGeodesy
import YonderModel
import Synchronization

/// The clock by which sign-ins, links and invitations expire: the wall clock, except that it never goes back.
///
/// When the wall clock is set back, this clock advances with the monotonic clock until the wall clock has
/// caught up. So an expired sign-in stays expired, and a new one is valid for its full time.
///
/// `ServerProcess` makes one, and `Authenticator`, `Accounts` and the exchange ask it, on any thread. Nothing fails.
/// That it never goes back must stay, also over a restart, by the newest sign-in of the store (`ExpiryClockTests`).
package final class ExpiryClock: Sendable {
    private struct Reading {
        var time: Timestamp
        var instant: ContinuousClock.Instant
    }

    private let wall: @Sendable () -> Timestamp
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let newest: Mutex<Reading>

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - floor: A time that was reached before, such as the newest one in a store, or `nil`.
    ///   - wall: The wall clock.
    ///   - uptime: The monotonic clock.
    package init(
        notBefore floor: Timestamp? = nil,
        wall: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.wall = wall
        self.uptime = uptime
        let time = wall()
        newest = Mutex(Reading(time: floor.map { max($0, time) } ?? time, instant: uptime()))
    }

    /// The wall clock's time, which may go back: the one by which everything but a sign-in ends.
    package var wallTime: Timestamp { wall() }

    /// The time, never before one that was read earlier.
    package var now: Timestamp {
        let (time, instant) = (wall(), uptime())
        return newest.withLock { newest in
            let elapsed = max(.zero, newest.instant.duration(to: instant))
            newest = Reading(time: max(time, newest.time + elapsed), instant: max(instant, newest.instant))
            return newest.time
        }
    }
}
