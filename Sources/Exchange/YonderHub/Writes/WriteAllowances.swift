import Synchronization
package import YonderBus
package import YonderRules
package import YonderModel

/// The write allowances of every writer that is connected or has written lately.
///
/// Some 300 bytes each. An allowance that no session holds and of which nothing is used is forgotten when the number of
/// allowances has doubled, so that there are at most twice as many as connected writers and writers that wrote in the time in
/// which a limit fills up.
///
/// Nodes report to each other what their writers have used, so that a writer with connections to several nodes has one
/// allowance. While nodes don't hear each other, each counts by itself.
package final class WriteAllowances: Sendable {
    private struct State {
        var byWriter: [Writer: WriteAllowance] = [:]
        var sweepsAt = 1_024
    }

    private let limits: WriteLimits
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let report: (@Sendable (WriteUse, Writer) -> Void)?
    private let state = Mutex(State())

    /// Creates the allowances.
    ///
    /// - Parameters:
    ///   - limits: The limits of each writer.
    ///   - uptime: The monotonic time by which the limits fill up.
    ///   - report: Called with what a writer has used here since the last report, whenever this is a hundredth of a limit;
    ///     `nil` for a server without other nodes.
    package init(
        _ limits: WriteLimits,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        report: (@Sendable (WriteUse, Writer) -> Void)? = nil
    ) {
        self.limits = limits
        self.uptime = uptime
        self.report = report
    }

    /// How many writers are known.
    var count: Int { state.withLock { $0.byWriter.count } }

    /// The allowance of a person, the same for all their sessions.
    package func allowance(of user: UserID, at now: ContinuousClock.Instant? = nil) -> WriteAllowance {
        allowance(of: .person(user), at: now)
    }

    /// The one allowance of a writer.
    package func allowance(of writer: Writer, at now: ContinuousClock.Instant? = nil) -> WriteAllowance {
        state.withLock { state in
            if let known = state.byWriter[writer] { return known }
            if state.byWriter.count >= state.sweepsAt { Self.sweep(&state, at: now ?? uptime()) }
            let report = report.map { report in { @Sendable (use: WriteUse) in report(use, writer) } }
            let made = WriteAllowance(limits, uptime: uptime, report: report)
            state.byWriter[writer] = made
            return made
        }
    }

    /// Receives what a writer has used on another node.
    func receive(_ use: WriteUse, of writer: Writer, at now: ContinuousClock.Instant? = nil) {
        let now = now ?? uptime()
        allowance(of: writer, at: now).charge(use, at: now)
    }

    private static func sweep(_ state: inout State, at now: ContinuousClock.Instant) {
        for writer in Array(state.byWriter.keys) {
            // Sessions hold the allowances that they use: only one that is held nowhere else may be created again.
            let isFree = isKnownUniquelyReferenced(&state.byWriter[writer])
            if isFree, state.byWriter[writer]?.isUnused(at: now) ?? true { state.byWriter[writer] = nil }
        }
        state.sweepsAt = max(1_024, 2 * state.byWriter.count)
    }
}
