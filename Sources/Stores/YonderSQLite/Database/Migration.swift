/// A step from one version of a database to the next; never changed after a release.
///
/// `SQLiteFile` migrates the server's database, `SQLiteOutboxStore` that of a phone, when it is opened, before anything
/// else reads it. A step that fails, or a database with more steps, leaves the file as it was. How many steps there are
/// is `user_version`, so steps are only appended (`OpeningTests`, `SQLiteFileTests`).
package struct Migration: Sendable {
    /// Statements, separated by semicolons.
    package let sql: String

    /// Whether the newest program can read a database without this step.
    ///
    /// `false` for a step that changes or adds data that readers need.
    package var isOptionalForReading: Bool

    /// Creates a step.
    package init(sql: String, isOptionalForReading: Bool = false) {
        self.sql = sql
        self.isOptionalForReading = isOptionalForReading
    }
}

extension [Migration] {
    /// Migrates a database to the newest version, in one transaction: all steps, or none.
    ///
    /// `user_version` is the number of steps that were applied.
    ///
    /// - Throws: ``StorageError`` with code `newerVersion`, or `migrationFailed` if a step can't be applied to what is in the database;
    ///   what the database throws if the disk doesn't allow it.
    package func migrate(_ database: Database, named name: String) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        try check(version, named: name)
        guard version < count else { return }
        do {
            try database.transaction(.immediate) {
                for step in version..<count {
                    try database.execute(sql: self[step].sql)
                    try database.execute(sql: "PRAGMA user_version = \(step + 1)")
                }
            }
        } catch let error as DatabaseError where !error.isOfDisk && !error.isCorruption {
            throw StorageError(
                .migrationFailed,
                """
                \(name) has version \(version) and can't be brought to version \(count): SQLite says "\(error.message ?? "nothing")" \
                (code \(error.extendedResultCode.rawValue)). Nothing was changed.
                """
            )
        }
    }

    /// Checks that a database of `bytes` bytes can be read without migrating it, on a disk that can't be
    /// written.
    ///
    /// - Parameters:
    ///   - version: The database's version.
    ///   - name: The file's name.
    ///   - bytes: The file's size.
    ///   - reason: Why it can't be written.
    /// - Throws: ``StorageError`` with code `newerVersion` or `noRoom`.
    func checkReadable(at version: Int, named name: String, bytes: Int64, because reason: String) throws {
        try check(version, named: name)
        guard !self[version...].allSatisfy(\.isOptionalForReading) else { return }
        // A step may rewrite every table; the log then contains the whole database once.
        let needed = bytes + Int64(Reserve.size)
        throw StorageError(
            .noRoom,
            """
            \(name) has version \(version) and must be brought to version \(count) before it can be read, which the disk \
            doesn't allow. Nothing was changed. Make \(needed) bytes of room on the disk, make it writable, and start again. (\(reason))
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
