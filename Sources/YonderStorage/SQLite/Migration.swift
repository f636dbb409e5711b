import GRDB

/// One step from a version of a database to the next; never changed once it has been released.
struct Migration: Sendable {
    /// Statements, separated by semicolons.
    let sql: String
}

extension [Migration] {
    /// Brings a database to the newest version, a transaction a step.
    ///
    /// `user_version` counts the steps that a database has behind it.
    func migrate(_ database: Database, named name: String) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard version <= count else {
            throw StorageError(
                .newerVersion,
                "\(name) has version \(version), this program knows \(count). Use a newer program."
            )
        }
        for step in version..<count {
            try database.inTransaction(.immediate) {
                try database.execute(sql: self[step].sql)
                try database.execute(sql: "PRAGMA user_version = \(step + 1)")
                return .commit
            }
        }
    }
}
