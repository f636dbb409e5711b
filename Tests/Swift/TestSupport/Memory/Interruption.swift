import Synchronization
package import YonderModel
import YonderRules

/// How a right ends between its reading and the change.
package enum EndedRight: String, CaseIterable, Sendable {
    case credential, disabled, removed, role, expired
}

/// Ends rights between two steps of a request: once behind the judging of its head, or once just before its change.
package final class Interruption: Sendable {
    private struct State {
        var head: (@Sendable () async -> Void)?
        var change: (@Sendable (MemoryStore) -> Void)?
    }

    private let state = Mutex(State())

    /// Has `body` run when the caller of the next request was found.
    package func behindHead(_ body: @escaping @Sendable () async -> Void) {
        state.withLock { $0.head = body }
    }

    /// Has a user's right end just before the next change under a warrant, without a word to anyone.
    package func beforeChange(_ ending: EndedRight, of user: UserID) {
        beforeChange { try? $0.end(ending, of: user) }
    }

    /// Has `body` run just before the next change under a warrant.
    package func beforeChange(_ body: @escaping @Sendable (MemoryStore) -> Void) {
        state.withLock { $0.change = body }
    }

    /// Whether something is still to be done.
    package var isPending: Bool { state.withLock { $0.head != nil || $0.change != nil } }

    func headWasJudged() async {
        let body = state.withLock { state in
            defer { state.head = nil }
            return state.head
        }
        await body?()
    }

    func takeChange() -> (@Sendable (MemoryStore) -> Void)? {
        state.withLock { state in
            defer { state.change = nil }
            return state.change
        }
    }
}
