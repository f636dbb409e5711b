import GRDB
import GRDBSQLite

extension SQLiteFile {
    /// Truncates the log, and overwrites leftovers in up to `pages` pages from `first` on; on ``queue``
    /// alone.
    ///
    /// Commits wait for a quarter of a second at most while a reader still needs the log.
    ///
    /// - Returns: The number of pages with leftovers, and the page to continue with.
    /// - Throws: `DatabaseError` with `SQLITE_BUSY` if a reader holds the log; with another code the file is
    ///   broken.
    package func scrub(from first: Int64, pages: Int64) throws -> (changed: Int, next: Int64?) {
        do {
            return try pool.writeWithoutTransaction { database in
                try Self.truncateLog(database)
                return try scrub(database, from: first, pages: pages)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw error
        } catch {
            markBroken()
            throw error
        }
    }

    private static func truncateLog(_ database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = 250")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = 10000") }
        _ = try database.checkpoint(.truncate)
    }

    /// Holds the write lock, so that the log stays empty and no other connection writes to the database file.
    private func scrub(_ database: Database, from first: Int64, pages: Int64) throws -> (
        changed: Int, next: Int64?
    ) {
        try database.beginTransaction(.immediate)
        defer { try? database.rollback() }
        guard FileSize.bytes(of: path + "-wal") ?? 0 == 0 else {
            throw DatabaseError(resultCode: .SQLITE_BUSY, message: "Another process wrote to the log.")
        }
        let scrubber = try PageScrubber(database)
        let step = try scrubber.scrub(from: first, limit: pages)
        guard step.changed > 0 else { return step }
        try scrubber.flush()
        // The writer's cached copies of these pages still contain the leftovers, and would restore them.
        sqlite3_db_release_memory(database.sqliteConnection)
        return step
    }
}
