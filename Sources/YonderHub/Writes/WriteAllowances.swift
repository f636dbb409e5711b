import Synchronization
package import YonderModel

/// The holder of a write allowance.
package enum Writer: Hashable, Sendable {
    /// A user, over all of their connections.
    case person(UserID)

    /// One network address of an app that signs its requests with a key.
    case app(key: String, network: String)
}

/// The write allowances of every writer that is connected or has written lately.
///
/// Some 300 bytes each. An allowance that no session holds and of which nothing is used is forgotten when the number of
/// allowances has doubled, so that there are at most twice as many as connected writers and writers that wrote in the time in
/// which a limit fills up.
package final class WriteAllowances: Sendable {
    private struct State {
        var byWriter: [Writer: WriteAllowance] = [:]
        var sweepsAt = 1_024
    }

    private let limits: WriteLimits
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// Creates the allowances; the limits fill up by the monotonic `uptime`.
    package init(_ limits: WriteLimits, uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now })
    {
        self.limits = limits
        self.uptime = uptime
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
            let made = WriteAllowance(limits, uptime: uptime)
            state.byWriter[writer] = made
            return made
        }
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
