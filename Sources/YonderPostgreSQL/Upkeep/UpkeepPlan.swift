#if Postgres
/// When a server does which work for the database, as a plain value without clock or connection.
///
/// Every server of a cluster has one: each piece of work skips what another one is at.
struct UpkeepPlan {
    /// A piece of work.
    enum Work: Hashable, CaseIterable, Sendable {
        /// Ends connections that keep a transaction open without sending.
        case endStuck
        /// Counts the rows of tables that have grown, for the planner.
        case analyze
        /// Removes the bytes of erased content from the files.
        case vacuum

        /// The time between two of them.
        fileprivate var interval: Duration {
            switch self {
            case .endStuck, .analyze: .seconds(2)
            case .vacuum: .seconds(60)
            }
        }
    }

    private var last: [Work: ContinuousClock.Instant] = [:]

    /// The work that is due at `now`, which counts as done.
    mutating func take(at now: ContinuousClock.Instant) -> [Work] {
        let due = Work.allCases.filter { work in last[work].map { now - $0 >= work.interval } ?? true }
        for work in due { last[work] = now }
        return due
    }
}
#endif
