import Synchronization
import YonderBus
import YonderModel

/// The users who are connected: on any loop of this node, with their numbers of sessions, and on the other nodes.
///
/// A page that is missing keeps the earlier users of that node until it asks again. `publish` runs inside the mutex, or
/// another node could get a user's end before the beginning (decision 32).
final class PresenceBoard: Sendable {
    private struct State {
        var sessions: [UserID: Int] = [:]

        /// The users with a session on another node, by node.
        var others: [UInt64: Set<UserID>] = [:]

        /// The pages of a node's users that have come so far, until the last one.
        var pages: [UInt64: (users: Set<UserID>, next: Int)] = [:]

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
    init() {}

    /// Counts a new session.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - publish: Called if it is the user's first session on this node, inside the mutex: other nodes get changes in the order in
    ///     which they were made here.
    /// - Returns: Whether it is the user's first session on any node.
    func enter(_ user: UserID, _ publish: () -> Void) -> Bool {
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
    func leave(_ user: UserID, _ publish: () -> Void) -> Bool {
        state.withLock { state in
            guard let count = state.sessions[user] else { return false }
            state.sessions[user] = count > 1 ? count - 1 : nil
            guard count == 1 else { return false }
            publish()
            return !state.isElsewhere(user)
        }
    }

    /// Passes the users with a session on this node to `publish`, at most `size` at a time, inside the mutex.
    func publishAll(by size: Int, _ publish: (PresencePage) -> Void) {
        state.withLock { state in
            let users = state.sessions.keys.sorted()
            let count = max(1, (users.count + size - 1) / size)
            for number in 0..<count {
                let part = users[number * size..<min((number + 1) * size, users.count)]
                publish(PresencePage(users: Array(part), number: number, count: count))
            }
        }
    }

    /// Replaces the users of another node by all of its pages, once the last one has come; pages out of order are dropped.
    ///
    /// - Returns: The users whose state changed: online now, which they weren't before, and offline now.
    func receive(_ page: PresencePage, of node: UInt64) -> (came: [UserID], gone: [UserID]) {
        state.withLock { state in
            var known = page.number == 0 ? (users: [], next: 0) : state.pages.removeValue(forKey: node)
            guard known?.next == page.number else { return ([], []) }
            known?.users.formUnion(page.users)
            known?.next += 1
            guard page.isLast else {
                state.pages[node] = known
                return ([], [])
            }
            state.pages[node] = nil
            return state.replace(known?.users, of: node)
        }
    }

    /// Adds users to another node, and removes some from it.
    ///
    /// - Returns: The users whose state changed: online now, which they weren't before, and offline now.
    func change(_ node: UInt64, came: [UserID], gone: [UserID]) -> (came: [UserID], gone: [UserID]) {
        state.withLock { state in
            let gone = Set(gone)
            let new = Set(came).subtracting(gone).filter { !(state.others[node]?.contains($0) ?? false) }
            let arrived = new.filter { !state.isOnline($0) }
            // In place: a node has many users, and a change few.
            state.others[node, default: []].formUnion(new)
            let left = gone.filter { state.others[node]?.remove($0) != nil }
            return (arrived.sorted(), left.filter { !state.isOnline($0) }.sorted())
        }
    }

    /// Replaces the users of another node; `nil` for a node that is gone.
    ///
    /// - Returns: The users whose state changed: online now, which they weren't before, and offline now.
    func replace(_ users: Set<UserID>?, of node: UInt64) -> (came: [UserID], gone: [UserID]) {
        state.withLock { state in
            state.pages[node] = nil
            return state.replace(users, of: node)
        }
    }

    /// Whether a user is connected anywhere.
    func isOnline(_ user: UserID) -> Bool { state.withLock { $0.isOnline(user) } }

    /// The connected ones of `users`.
    func online(among users: some Sequence<UserID>) -> [UserID] {
        state.withLock { state in users.filter { state.isOnline($0) } }
    }
}
