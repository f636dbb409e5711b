package import YonderModel
import Synchronization

/// The users who are connected: on any loop of this node, with their numbers of sessions, and on the other nodes.
package final class PresenceBoard: Sendable {
    private struct State {
        var sessions: [UserID: Int] = [:]

        /// The users with a session on another node, by node.
        var others: [UInt64: Set<UserID>] = [:]

        func isOnline(_ user: UserID) -> Bool { sessions[user] != nil || isElsewhere(user) }

        func isElsewhere(_ user: UserID) -> Bool { others.values.contains { $0.contains(user) } }

        /// Replaces a node's users, and returns the users who are online or offline because of that.
        mutating func replace(_ users: Set<UserID>?, of node: UInt64) -> (came: [UserID], gone: [UserID]) {
            let old = others[node] ?? []
            let came = (users ?? []).subtracting(old).filter { !isOnline($0) }
            others[node] = users
            return (came.sorted(), old.subtracting(users ?? []).filter { !isOnline($0) }.sorted())
        }
    }

    private let state = Mutex(State())

    /// Creates a board without users.
    package init() {}

    /// Counts a new session.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - publish: Called if it is the user's first session on this node, inside the mutex: other nodes get changes in the order in
    ///     which they were made here.
    /// - Returns: Whether it is the user's first session on any node.
    package func enter(_ user: UserID, _ publish: () -> Void) -> Bool {
        state.withLock { state in
            state.sessions[user, default: 0] += 1
            guard state.sessions[user] == 1 else { return false }
            publish()
            return !state.isElsewhere(user)
        }
    }

    /// Counts an ended session.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - publish: Called if it was the user's last session on this node, inside the mutex.
    /// - Returns: Whether the user has no session anywhere now.
    package func leave(_ user: UserID, _ publish: () -> Void) -> Bool {
        state.withLock { state in
            guard let count = state.sessions[user] else { return false }
            state.sessions[user] = count > 1 ? count - 1 : nil
            guard count == 1 else { return false }
            publish()
            return !state.isElsewhere(user)
        }
    }

    /// Passes the users with a session on this node to `publish`, inside the mutex.
    package func publishAll(_ publish: ([UserID]) -> Void) {
        state.withLock { publish($0.sessions.keys.sorted()) }
    }

    /// Adds users to another node, and removes some from it.
    ///
    /// - Returns: The users whose state changed: online now, which they weren't before, and offline now.
    package func change(_ node: UInt64, came: [UserID], gone: [UserID]) -> (came: [UserID], gone: [UserID]) {
        state.withLock { state in
            let users = (state.others[node] ?? []).union(came).subtracting(gone)
            return state.replace(users, of: node)
        }
    }

    /// Replaces the users of another node; `nil` for a node that is gone.
    ///
    /// - Returns: The users whose state changed: online now, which they weren't before, and offline now.
    package func replace(_ users: Set<UserID>?, of node: UInt64) -> (came: [UserID], gone: [UserID]) {
        state.withLock { $0.replace(users, of: node) }
    }

    /// The connected ones of `users`.
    package func online(among users: some Sequence<UserID>) -> [UserID] {
        state.withLock { state in users.filter { state.isOnline($0) } }
    }
}
