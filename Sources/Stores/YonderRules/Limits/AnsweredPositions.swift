import Synchronization
package import YonderModel

/// The positions from which answers were made for each person, within a limit for each.
///
/// An answer's number of positions is known only once it is made: an answer is begun while any are left, and its positions are charged
/// afterward. Nodes tell each other of them.
package final class AnsweredPositions: Sendable {
    private let counts: Mutex<RateLimiter<UserID>>?

    /// Creates a count.
    ///
    /// - Parameter perMinute: How many positions a person may be answered in a minute; 0 for any number.
    package init(perMinute: Int) {
        guard perMinute > 0 else {
            counts = nil
            return
        }
        let limit = RateLimit(burst: perMinute, interval: .seconds(60) / perMinute)
        counts = Mutex(RateLimiter { _ in limit })
    }

    /// The time until an answer may be begun for a person; `.zero` for now.
    package func wait(of person: UserID, at now: ContinuousClock.Instant) -> Duration {
        counts?.withLock { $0.wait(person, at: now) } ?? .zero
    }

    /// Counts the positions of an answer.
    package func charge(_ count: Int, to person: UserID, at now: ContinuousClock.Instant) {
        counts?.withLock { $0.charge(count, to: person, at: now) }
    }
}
