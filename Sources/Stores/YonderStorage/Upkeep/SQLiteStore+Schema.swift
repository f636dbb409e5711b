import Dispatch
package import YonderModel
import YonderSQLite

// The comparison of a folder's tables with what this program's steps make of an empty database in memory: the steps are the
// one place that says what there must be.
extension SQLiteStore {
    /// What the steps make, by type and name; the value is the SQL on one line, empty for the index of a key.
    private static let expected: [SchemaPart: String]? = try? {
        let empty = try DatabaseQueue()
        let made = try empty.inDatabase { database in
            try migrations.migrate(database, named: "memory")
            return try parts(of: database)
        }
        try empty.close()
        return made
    }()

    /// A table, an index or a trigger.
    private struct SchemaPart: Hashable {
        let type: String
        let name: String
    }

    private static func parts(of database: Database) throws -> [SchemaPart: String] {
        var parts: [SchemaPart: String] = [:]
        let sql = "SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'"
        try Statement(database, sql).forEachRow { row in
            let sql = row.string(2).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            parts[SchemaPart(type: row.string(0), name: row.string(1))] = sql
        }
        return parts
    }

    /// Compares the tables, indexes and triggers of a folder that this program has made with those of the steps.
    ///
    /// - Returns: How many parts the steps make, and the ones that are missing or different.
    /// - Throws: `unavailable`.
    package func compareSchema() async throws(SharingError) -> (count: Int, differences: [String]) {
        guard let expected = Self.expected else { throw .storeFailed }
        let present = try await file.read { try Self.parts(of: $0) }
        let different = expected.filter { present[$0.key] != $0.value }.map {
            "\($0.key.type) \($0.key.name)"
        }
        return (expected.count, different.sorted())
    }

    /// Refuses a folder into which a migration hasn't ended, or whose database lacks an index or a trigger; closes it then.
    ///
    /// - Throws: ``StorageError`` with code `incomplete` or `corrupt`.
    func checkWhole() throws(StorageError) {
        try checkComplete()
        try checkIndexes()
    }

    /// Refuses a folder whose database lacks an index or a trigger of the steps, and closes it.
    ///
    /// A database that can be read alone is not checked: it may lack steps.
    ///
    /// - Throws: ``StorageError`` with code `corrupt`.
    private func checkIndexes() throws(StorageError) {
        guard !file.isBroken, let expected = Self.expected else { return }
        let present = file.queue.sync { try? file.guarded { try Self.parts(of: $0) } }
        let missing = expected.filter { part, sql in
            part.type != "table" && !sql.isEmpty && present?[part] == nil
        }
        guard let present, !present.isEmpty, !missing.isEmpty else { return }
        try? close()
        let names = missing.keys.map(\.name).sorted().joined(separator: ", ")
        let cures = missing.values.sorted().map { "\($0);" }
        throw StorageError(
            .corrupt,
            """
            The database in \(file.folder) lacks what its tables had: \(names). Another program has removed it. Run in sqlite3 \
            \(file.folder)/yonder.db: \(cures.joined(separator: " ")) Then start again; or restore a backup.
            """
        )
    }
}
