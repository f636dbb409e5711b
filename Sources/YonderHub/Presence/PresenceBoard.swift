package import YonderModel
import Synchronization

/// Who is connected, on any loop, counted in sessions.
package final class PresenceBoard: Sendable {
    private let sessions = Mutex<[UserID: Int]>([:])

    /// Counts a session in; whether it is its user's first.
    func enter(_ user: UserID) -> Bool {
        sessions.withLock { counts in
            counts[user, default: 0] += 1
            return counts[user] == 1
        }
    }

    /// Counts a session out; whether it was its user's last.
    func leave(_ user: UserID) -> Bool {
        sessions.withLock { counts in
            guard let count = counts[user] else { return false }
            counts[user] = count > 1 ? count - 1 : nil
            return count <= 1
        }
    }

    /// Those of `users` who are connected.
    package func online(among users: some Sequence<UserID>) -> [UserID] {
        sessions.withLock { counts in users.filter { counts[$0] != nil } }
    }
}
