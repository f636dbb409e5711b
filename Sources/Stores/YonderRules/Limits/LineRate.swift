import Synchronization

/// The rate of one kind of log line that a peer can cause: a burst, then one line a second, so that no peer fills a disk.
///
/// Lines beyond it aren't written; the next one that is says how many. The burst is by source, a person or another name, where
/// there is one: nobody's lines are lost because another has many. A full burst of lines is some 10 kB.
package final class LineRate: Sendable {
    /// The limit of each source: 60 lines at once, and then one a second.
    package static let limit = RateLimit(burst: 60, perSecond: 1)

    private let state: Mutex<(limiter: RateLimiter<String>, omitted: Int)>
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// Creates a full rate.
    ///
    /// - Parameters:
    ///   - limit: The lines of each source.
    ///   - uptime: The monotonic time.
    package init(
        _ limit: RateLimit = LineRate.limit,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        state = Mutex((RateLimiter(capacity: 1_000) { _ in limit }, 0))
        self.uptime = uptime
    }

    /// Counts a line.
    ///
    /// - Parameter source: The address or account whose request caused the line.
    /// - Returns: How many lines were omitted since the last one that was written, or `nil` if this one must be omitted.
    package func take(_ source: String = "") -> Int? {
        let now = uptime()
        return state.withLock { state in
            guard state.limiter.take([source], at: now) == nil else {
                state.omitted += 1
                return nil
            }
            defer { state.omitted = 0 }
            return state.omitted
        }
    }
}
