import Synchronization
package import YonderModel

/// The credentials that ended a moment ago.
///
/// A connection is accepted first and becomes a session then: one whose credential ends in between is found here.
package final class EndedSignIns: Sendable {
    /// How long a credential is kept: longer than any connection takes from its acceptance to its session.
    private static let memory = Duration.seconds(10)

    private let ends = Mutex<[SecretHash: ContinuousClock.Instant]>([:])

    /// Creates an empty list.
    package init() {}

    /// Adds credentials that ended at `now`.
    package func insert(_ credentials: Set<SecretHash>, at now: ContinuousClock.Instant) {
        ends.withLock { ends in
            ends = ends.filter { $0.value + Self.memory > now }
            for credential in credentials { ends[credential] = now }
        }
    }

    /// Whether a credential ended a moment ago.
    package func contains(_ credential: SecretHash) -> Bool {
        ends.withLock { $0[credential] != nil }
    }
}
