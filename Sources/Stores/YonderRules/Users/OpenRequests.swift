import Synchronization
import YonderModel

/// The requests whose bodies come, by the sign-ins that they are made with, so that a body doesn't outlive its right.
///
/// A change of sign-ins of this server or another ends them, as it ends streams. An end that isn't heard of here costs
/// nothing but the time of the body: the transaction judges its change all the same.
package final class OpenRequests: Sendable {
    private struct Entry {
        var held: HeldSignIn
        let cut: @Sendable () -> Void
    }

    private struct State {
        var next = 0
        var entries: [UserID: [Int: Entry]] = [:]
    }

    /// A request's place.
    package struct Place: Sendable {
        fileprivate let user: UserID
        fileprivate let number: Int
    }

    private let state = Mutex(State())

    /// Creates an empty list.
    package init() {}

    /// Adds a request; `cut` is called at most once, on any thread, if its right ends before ``remove(_:)``.
    package func add(_ held: HeldSignIn, cut: @escaping @Sendable () -> Void) -> Place {
        state.withLock { state in
            state.next += 1
            state.entries[held.user, default: [:]][state.next] = Entry(held: held, cut: cut)
            return Place(user: held.user, number: state.next)
        }
    }

    /// Removes a request.
    package func remove(_ place: Place) {
        state.withLock { state in
            state.entries[place.user]?[place.number] = nil
            if state.entries[place.user]?.isEmpty ?? false { state.entries[place.user] = nil }
        }
    }

    /// Cuts the requests whose right a change of sign-ins ends.
    package func end(by change: SignInChange) {
        cut { $0.user == change.user && $0.isEnded(by: change) }
    }

    /// Cuts the requests of sessions and tokens that were found to be gone.
    package func end(_ credentials: Set<SecretHash>) {
        cut { credentials.contains($0.credential) }
    }

    /// The sessions and tokens of the requests, each with the versions of its account by which these were allowed.
    package var signIns: [SecretHash: Set<Int64>] {
        state.withLock { state in
            var found: [SecretHash: Set<Int64>] = [:]
            for entry in state.entries.values.flatMap(\.values) {
                found[entry.held.credential, default: []].insert(entry.held.version)
            }
            return found
        }
    }

    private func cut(where isEnded: (HeldSignIn) -> Bool) {
        let ended = state.withLock { state in
            var ended: [Entry] = []
            for (user, entries) in state.entries {
                let gone = entries.filter { isEnded($0.value.held) }
                guard !gone.isEmpty else { continue }
                ended += gone.values
                let left = entries.filter { gone[$0.key] == nil }
                state.entries[user] = left.isEmpty ? nil : left
            }
            return ended
        }
        for entry in ended { entry.cut() }
    }
}

extension HeldSignIn {
    /// Whether a change of the user's sign-ins ends the right.
    func isEnded(by change: SignInChange) -> Bool {
        guard version < change.versions.upperBound else { return false }
        return switch change.ended {
        case .all: true
        case .role: needsOperator
        case .credentials(let credentials): credentials.contains(credential)
        }
    }
}
