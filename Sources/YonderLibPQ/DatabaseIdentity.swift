#if Postgres
import Synchronization

/// Which database the connections of one store lead to: every new one must lead to the same.
///
/// An address may come to name another server: a restored copy, or an old primary that was cut off and is back. Both have other
/// rows than those that were acknowledged.
package final class DatabaseIdentity: Sendable {
    private let known = Mutex<Known?>(nil)

    private struct Known {
        let system: Int64
        var timeline: Int64
    }

    package init() {}

    /// Compares a new connection's database with that of the first one.
    ///
    /// - Parameters:
    ///   - system: PostgreSQL's identifier, which `initdb` made, and which copies of the files keep.
    ///   - timeline: The number of the history of its log, which rises when a standby is promoted.
    /// - Returns: Why the connection must not be used; `nil` if it may.
    package func refusal(system: Int64, timeline: Int64) -> String? {
        known.withLock { known in
            guard let first = known else {
                known = Known(system: system, timeline: timeline)
                return nil
            }
            guard first.system == system else {
                return """
                    Another database answers: its system_identifier is \(system), that of the one before \(first.system). \
                    Restart the server if that is meant.
                    """
            }
            guard first.timeline <= timeline else {
                return """
                    An old primary answers: its timeline is \(timeline), that of the one before \(first.timeline). \
                    Make it a standby of the new primary.
                    """
            }
            known?.timeline = timeline
            return nil
        }
    }
}
#endif
