import Synchronization

/// How many members of the world each client has on this node, over all event loops.
///
/// A holder, an account or a network, may have as many members as places are still free. So one alone may fill half of the world, two
/// a third each, and there is always room for another. Members of other nodes take places, too, but each node counts its own
/// members' holders.
package final class WorldShares: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    package init() {}

    /// Counts a member for a holder, if that has no more of them than there are places.
    ///
    /// - Returns: Whether the member was counted.
    func take(_ holder: String, free: Int) -> Bool {
        counts.withLock { counts in
            let count = counts[holder, default: 0]
            guard count <= free else { return false }
            counts[holder] = count + 1
            return true
        }
    }

    /// Gives back a member of a holder.
    func giveBack(_ holder: String) {
        counts.withLock { counts in
            guard let count = counts[holder] else { return }
            counts[holder] = count > 1 ? count - 1 : nil
        }
    }
}
