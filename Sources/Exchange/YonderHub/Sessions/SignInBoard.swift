import Synchronization
import YonderModel
import YonderRules

/// The sign-ins that ended a moment ago, by the versions of their accounts.
///
/// A connection is accepted first and becomes a session then. What ends in between is found here: a session that was
/// accepted by an older version of its account isn't opened, and its client signs in again.
///
/// `Exchange` has one: it notes each change of a commit or another node, and asks before a session opens, on any thread.
/// Nothing fails. ``memory`` must be longer than accepting a connection may take, and may be raised
/// (`SignInBoardTests`).
final class SignInBoard: Sendable {
    private struct State {
        var versions: [UserID: (version: Int64, until: ContinuousClock.Instant)] = [:]
        var credentials: [SecretHash: ContinuousClock.Instant] = [:]
        var nextTidying: ContinuousClock.Instant?
    }

    /// How long a change is kept: longer than any connection takes from its acceptance to its session.
    private static let memory = Duration.seconds(60)

    private let state = Mutex(State())

    /// Creates an empty board.
    init() {}

    /// Receives a change of a user's sign-ins.
    func note(_ change: SignInChange, at now: ContinuousClock.Instant) {
        state.withLock { state in
            Self.tidy(&state, at: now)
            let version = max(change.versions.upperBound, state.versions[change.user]?.version ?? .min)
            state.versions[change.user] = (version, now + Self.memory)
        }
    }

    /// Receives that credentials were found to be good no longer.
    func note(_ credentials: Set<SecretHash>, at now: ContinuousClock.Instant) {
        state.withLock { state in
            Self.tidy(&state, at: now)
            for credential in credentials { state.credentials[credential] = now + Self.memory }
        }
    }

    /// Whether a connection that was accepted for a version of the user's account may become a session.
    func admits(_ user: UserID, version: Int64, by credential: SecretHash?) -> Bool {
        state.withLock { state in
            version >= state.versions[user]?.version ?? .min
                && credential.map { state.credentials[$0] == nil } ?? true
        }
    }

    /// Forgets what is old, at most once in the time for which it is kept.
    private static func tidy(_ state: inout State, at now: ContinuousClock.Instant) {
        guard state.nextTidying.map({ $0 <= now }) ?? true else { return }
        state.nextTidying = now + memory
        state.versions = state.versions.filter { $0.value.until > now }
        state.credentials = state.credentials.filter { $0.value > now }
    }
}
