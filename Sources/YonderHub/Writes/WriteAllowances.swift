import Synchronization
package import YonderModel

/// The write allowances of everyone who is connected or has written lately, by person.
///
/// Some 300 bytes each. An allowance that no session holds and of which nothing is used is forgotten when the number of
/// allowances has doubled, so that there are at most twice as many as people connected and people who wrote in the time in
/// which a limit fills up.
package final class WriteAllowances: Sendable {
    private struct State {
        var byPerson: [UserID: WriteAllowance] = [:]
        var sweepsAt = 1_024
    }

    private let limits: WriteLimits
    private let state = Mutex(State())

    package init(_ limits: WriteLimits) {
        self.limits = limits
    }

    /// How many people are known.
    var count: Int { state.withLock { $0.byPerson.count } }

    /// The allowance of a person, the same for all their sessions.
    package func allowance(of user: UserID, at now: ContinuousClock.Instant = .now) -> WriteAllowance {
        state.withLock { state in
            if let known = state.byPerson[user] { return known }
            if state.byPerson.count >= state.sweepsAt { Self.sweep(&state, at: now) }
            let made = WriteAllowance(limits)
            state.byPerson[user] = made
            return made
        }
    }

    private static func sweep(_ state: inout State, at now: ContinuousClock.Instant) {
        for user in Array(state.byPerson.keys) {
            // Sessions hold the allowances that they use: only one that is held nowhere else may be created again.
            let isFree = isKnownUniquelyReferenced(&state.byPerson[user])
            if isFree, state.byPerson[user]?.isUnused(at: now) ?? true { state.byPerson[user] = nil }
        }
        state.sweepsAt = max(1_024, 2 * state.byPerson.count)
    }
}
