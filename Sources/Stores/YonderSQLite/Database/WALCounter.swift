import CSQLite
import Synchronization

/// The number of frames in the write-ahead log, as SQLite reports it after each commit.
///
/// It replaces SQLite's automatic checkpoint, which doesn't report failures.
final class WALCounter: Sendable {
    private let frames = Atomic(0)

    /// The frames since the log was last restarted.
    var count: Int { frames.load(ordering: .relaxed) }

    /// Observes the commits of a writer's connection, which must not outlive this counter.
    func follow(_ database: Database) {
        frames.store(0, ordering: .relaxed)
        sqlite3_wal_hook(
            database.handle,
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
