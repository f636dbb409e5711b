import GRDB
import GRDBSQLite

extension Configuration {
    /// Lets no connection remove the write-ahead log when it is closed.
    ///
    /// A connection whose index of the log (`-shm`) can't be opened takes the log for empty, and as the last one to close
    /// would remove it with all that it holds. Called before SQLite looks at the file for the first time.
    mutating func keepLog() {
        prepareDatabase { database in
            var isKept: CInt = 1
            sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        }
    }
}
