import Synchronization
package import YonderBus
package import YonderRules
package import YonderModel

/// The rate limits of writing: one ``WriteAllowance`` for each writer that is connected or wrote lately.
///
/// A writer is a person over all their connections, or one network address of an app that signs requests with a key. A
/// writer whose allowance is used up gets `tooManyRequests` with the time to wait; the write isn't stored.
///
/// `Exchange` has one. Sessions of the stream (`SessionWrites`), messages and photos over REST, `ObjectService`,
/// `ObjectFileEndpoints` and `PlacesFacade` ask it for a writer's allowance before a write, on any thread. Nodes of a
/// cluster report what their writers use, and `Exchange+Nodes.swift` passes it to ``receive(_:of:at:)``: a writer with
/// connections to two nodes has one allowance. While nodes don't hear each other, each counts by itself.
///
/// An allowance has some 300 bytes. From 1 024 on, whenever their number has doubled since the last look, those are removed
/// that are held by nobody and are full again, so that a new one would be the same. An allowance that is held must stay: a
/// second one beside it would double the writer's limit (`WriteLimitTests`, *each writer has one allowance*). 1 024 and the
/// factor 2 may be changed; the limits themselves are `WriteLimits`.
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
    ///   - uptime: The monotonic time by which used allowances become free again.
    ///   - report: Called with what a writer has used here since the last report, as soon as this reaches a hundredth of one
    ///     of the limits' bursts; `nil` for a server without other nodes.
    package init(
        _ limits: WriteLimits,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        report: (@Sendable (WriteUse, Writer) -> Void)? = nil
    ) {
        self.limits = limits
        self.uptime = uptime
        self.report = report
    }

    /// How many writers have an allowance here.
    var count: Int { state.withLock { $0.byWriter.count } }

    /// The allowance of a person, the same for all their sessions.
    package func allowance(of user: UserID, at now: ContinuousClock.Instant? = nil) -> WriteAllowance {
        allowance(of: .person(user), at: now)
    }

    /// The one allowance of a writer, made at the first call.
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
            // A session or a request that still holds this allowance would go on with it beside a new one.
            let isFree = isKnownUniquelyReferenced(&state.byWriter[writer])
            if isFree, state.byWriter[writer]?.isUnused(at: now) ?? true { state.byWriter[writer] = nil }
        }
        state.sweepsAt = max(1_024, 2 * state.byWriter.count)
    }
}
