#if Postgres
import Synchronization

/// The database to which the connections of one store lead: every new connection must lead to the same database.
///
/// An address may later lead to another server: a restored copy, or an old primary that was cut off and is back. Both
/// may lack rows whose commits were acknowledged.
///
/// `PostgreSQLStore` has one for its links, and each `Link` asks at every new connection, on its thread. A refusal is an
/// error of that connection, which is tried again; the server is then not ready. A newer timeline of the same system,
/// after a failover, is accepted, an older one never: this must stay (decision 30, `PostgreSQLConnectionTests`).
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
    ///   - system: PostgreSQL's `system_identifier`, which `initdb` makes, and which physical copies keep.
    ///   - timeline: The timeline of its write-ahead log, which rises when a standby is promoted.
    /// - Returns: Why the connection must not be used; `nil` if it may be used.
    package func refusal(system: Int64, timeline: Int64) -> String? {
        known.withLock { known in
            guard let first = known else {
                known = Known(system: system, timeline: timeline)
                return nil
            }
            guard first.system == system else {
                return """
                    Another database answers: its system_identifier is \(system), that of the one before \(first.system). \
                    Restart the server if the change is intended.
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
