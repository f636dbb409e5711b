package import YonderModel
import Synchronization

/// The users who are connected, on any loop, with their numbers of sessions.
package final class PresenceBoard: Sendable {
    private let sessions = Mutex<[UserID: Int]>([:])

    /// Counts a new session; returns whether it is the user's first.
    func enter(_ user: UserID) -> Bool {
        sessions.withLock { counts in
            counts[user, default: 0] += 1
            return counts[user] == 1
        }
    }

    /// Counts an ended session; returns whether it was the user's last.
    func leave(_ user: UserID) -> Bool {
        sessions.withLock { counts in
            guard let count = counts[user] else { return false }
            counts[user] = count > 1 ? count - 1 : nil
            return count <= 1
        }
    }

    /// The connected ones of `users`.
    package func online(among users: some Sequence<UserID>) -> [UserID] {
        sessions.withLock { counts in users.filter { counts[$0] != nil } }
    }
}
