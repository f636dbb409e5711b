import GRDB

/// One step from a version of a database to the next; never changed once it has been released.
struct Migration: Sendable {
    /// Statements, separated by semicolons.
    let sql: String

    /// Whether a database without this step can be read by the newest program.
    ///
    /// `false` for a step that changes or adds what readers look at.
    var isOptionalForReading = false
}

extension [Migration] {
    /// Brings a database to the newest version, a transaction a step.
    ///
    /// `user_version` counts the steps that a database has behind it.
    func migrate(_ database: Database, named name: String) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        try check(version, named: name)
        for step in version..<count {
            try database.inTransaction(.immediate) {
                try database.execute(sql: self[step].sql)
                try database.execute(sql: "PRAGMA user_version = \(step + 1)")
                return .commit
            }
        }
    }

    /// Checks that a database of `bytes` bytes, on a disk that can't be written, can be read as it is.
    ///
    /// - Throws: ``StorageError`` with code `newerVersion` or `noRoom`.
    func checkReadable(at version: Int, named name: String, bytes: Int64) throws {
        try check(version, named: name)
        guard !self[version...].allSatisfy(\.isOptionalForReading) else { return }
        // A step may rewrite every table: the log then holds the whole database once.
        let needed = bytes + Int64(Reserve.size)
        throw StorageError(
            .noRoom,
            """
            \(name) has version \(version) and must be brought to version \(count) before it can be read, which the disk \
            doesn't allow. Nothing was changed. Make \(needed) bytes of room on the disk, make it writable, and start again.
            """
        )
    }

    private func check(_ version: Int, named name: String) throws {
        guard version <= count else {
            throw StorageError(
                .newerVersion,
                "\(name) has version \(version), this program knows \(count). Use a newer program."
            )
        }
    }
}
