/// Decides which failures of periodic work are logged, as a plain value without a clock.
///
/// The first failure of a run is logged, then one after a minute, and each further one after twice the time of the one before,
/// an hour at most: a disk that is full for a day is some thirty lines, and not one a second.
struct FailureRun {
    private static let shortestPause = Duration.seconds(60)
    private static let longestPause = Duration.seconds(3_600)

    private var count = 0
    private var pause = shortestPause
    private var due: ContinuousClock.Instant?

    /// Counts a failure.
    ///
    /// - Returns: How many there were in this run, if this one is to be logged; else `nil`.
    mutating func failed(at now: ContinuousClock.Instant) -> Int? {
        count += 1
        guard due.map({ now >= $0 }) ?? true else { return nil }
        due = now.advanced(by: pause)
        pause = min(pause * 2, Self.longestPause)
        return count
    }

    /// Ends the run.
    ///
    /// - Returns: How many failures there were, if there were any.
    mutating func succeeded() -> Int? {
        defer { self = FailureRun() }
        return count > 0 ? count : nil
    }
}
