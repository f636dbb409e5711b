import GRDB
import GRDBSQLite
import Synchronization

/// How many frames the write-ahead log has, as SQLite tells after each commit.
///
/// It takes the place of SQLite's automatic checkpoint, which keeps its failures to itself.
final class WALCounter: Sendable {
    private let frames = Atomic(0)

    /// Frames since the log was last begun anew.
    var count: Int { frames.load(ordering: .relaxed) }

    /// Follows the commits of a writer's connection, which must not outlive this counter.
    func follow(_ database: Database) {
        frames.store(0, ordering: .relaxed)
        sqlite3_wal_hook(
            database.sqliteConnection,
            { context, _, _, frames in
                guard let context else { return SQLITE_OK }
                let counter = Unmanaged<WALCounter>.fromOpaque(context).takeUnretainedValue()
                counter.frames.store(Int(frames), ordering: .relaxed)
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
