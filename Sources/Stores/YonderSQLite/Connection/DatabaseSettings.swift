import CSQLite

/// How a database is opened.
///
/// `SQLiteFile`, the outbox, the gazetteer and backups set them before they open a connection. A step that fails fails
/// the opening. The steps' order must stay: `PageWrites` follows the file before anything reads it. ``keepLog()`` must
/// stay where content is erased: a removed log counts as another program's work (decision 15).
package struct DatabaseSettings: Sendable {
    /// Whether nothing may be written.
    package var isReadOnly = false

    /// The name of the connection's queue.
    package var label = "yonder.database"

    /// How many milliseconds a statement waits for the lock of another connection; 0 to fail at once.
    package var patience: CInt = 0

    private(set) var steps: [@Sendable (Database) throws -> Void] = []

    /// Creates the settings of a connection that reads and writes, and fails at once where another has the lock.
    package init() {}

    /// Adds a step for each new connection; steps run in their order, before the file is read.
    package mutating func prepare(_ step: @escaping @Sendable (Database) throws -> Void) {
        steps.append(step)
    }

    /// Prevents connections from removing the write-ahead log when they are closed.
    ///
    /// A connection that can't open the log's index (`-shm`) considers the log empty, and when closed last
    /// would remove it with its content.
    package mutating func keepLog() {
        prepare { database in
            var isKept: CInt = 1
            sqlite3_file_control(database.handle, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        }
    }
}
