/// A database from which a migration reads, or into which it writes: a folder's SQLite or PostgreSQL.
package protocol MigrationEnd: Sendable {
    /// The place, for the report and for errors; without a password.
    var place: String { get }

    /// The names of all of its tables.
    func tableNames() async throws(MigrationError) -> Set<String>

    /// Reads rows in the order of their keys.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - key: The key of the last row that is known; `nil` for the first rows.
    ///   - limit: The most rows.
    /// - Returns: The values of all columns.
    /// - Throws: ``MigrationError`` with code `failed`.
    func rows(of table: MigrationTable, after key: [Cell]?, limit: Int) async throws(MigrationError)
        -> [[Cell]]

    /// The highest number that was ever given to an entity, or to an object.
    func highestNumber(of table: MigrationTable) async throws(MigrationError) -> Int64

    /// Marks it as incomplete, on the disk: no server starts on it from now on.
    func begin() async throws(MigrationError)

    /// Writes rows that it doesn't have.
    func insert(_ rows: [[Cell]], into table: MigrationTable) async throws(MigrationError)

    /// Makes what follows from the copied rows.
    ///
    /// - Parameter numbers: The highest numbers that were ever given, by the tables' names in a folder.
    /// - Throws: ``MigrationError`` with code `failed`.
    func complete(numbers: [String: Int64]) async throws(MigrationError)

    /// Takes the mark of ``begin()`` away: servers may start on it.
    func release() async throws(MigrationError)

    /// Makes sure that no server uses it.
    func checkUnused() async throws(MigrationError)

    /// Closes it.
    func close() async
}
