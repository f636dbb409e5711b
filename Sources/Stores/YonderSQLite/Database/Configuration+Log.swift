package import GRDB
import GRDBSQLite

extension Configuration {
    /// Prevents connections from removing the write-ahead log when they are closed.
    ///
    /// A connection that can't open the log's index (`-shm`) considers the log empty, and when closed last
    /// would remove it with its content. Called before SQLite reads the file for the first time.
    package mutating func keepLog() {
        prepareDatabase { database in
            var isKept: CInt = 1
            sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        }
    }
}
