import Synchronization

/// How many requests of each person have a body that hasn't come completely: a mutex around a dictionary.
///
/// `ClientConnections` has one, and `IncomingBody` takes and gives back, on any thread. Beyond the limit `take` returns
/// `false`, and the request is refused. Each take that was granted needs one give back, also when the connection ends
/// (`BodyPaceTests`). The limit is a setting.
package final class OpenBodies: Sendable {
    private let limit: Int
    private let counts = Mutex<[Int64: Int]>([:])

    /// Creates the counts; a person may have `limit` at once.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Counts a request of a person.
    ///
    /// - Returns: Whether it may go on; `false` if the person has as many as allowed.
    func take(_ person: Int64) -> Bool {
        counts.withLock { counts in
            guard counts[person, default: 0] < limit else { return false }
            counts[person, default: 0] += 1
            return true
        }
    }

    /// Counts a request no longer.
    func giveBack(_ person: Int64) {
        counts.withLock { counts in
            guard let count = counts[person] else { return }
            counts[person] = count > 1 ? count - 1 : nil
        }
    }
}
