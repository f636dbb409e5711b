#if Postgres
/// The times at which a server does each kind of work for the database, as a plain value without clock or connection.
///
/// Every server of a cluster has a plan of its own: work that two servers do at the same time is harmless, or skipped by one of them.
struct UpkeepPlan {
    /// A piece of work.
    enum Work: Hashable, CaseIterable, Sendable {
        /// Ends connections that keep a transaction open without sending.
        case endStuck
        /// Updates the planner's statistics of tables that have grown.
        case analyze
        /// Removes the bytes of erased content from the files.
        case vacuum

        /// The time between two turns of this work.
        fileprivate var interval: Duration {
            switch self {
            case .endStuck, .analyze: .seconds(2)
            case .vacuum: .seconds(60)
            }
        }
    }

    private var last: [Work: ContinuousClock.Instant] = [:]

    /// The work that is due at `now`; it counts as done.
    mutating func take(at now: ContinuousClock.Instant) -> [Work] {
        let due = Work.allCases.filter { work in last[work].map { now - $0 >= work.interval } ?? true }
        for work in due { last[work] = now }
        return due
    }
}
#endif
