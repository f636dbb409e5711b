package import YonderTables

/// A database from which a migration reads, or into which it writes: a folder's SQLite or PostgreSQL.
///
/// An end that failed isn't used any more, but closed. Rows come in the order of their keys, and the mark of ``begin()`` is
/// on the disk before a row is.
package protocol MigrationEnd: Sendable {
    /// The folder, or the hosts and the database, for the report and for errors; without a password.
    var place: String { get }

    /// The names of all tables of the database.
    func tableNames() async throws(MigrationError) -> Set<String>

    /// Reads rows in the order of their keys.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - key: The key of the row behind which the read begins; `nil` for the first rows.
    ///   - limit: The most rows.
    /// - Returns: The rows, each with the values of all columns.
    /// - Throws: ``MigrationError`` with code `failed`.
    func rows(of table: MigrationTable, after key: [Cell]?, limit: Int) async throws(MigrationError)
        -> [[Cell]]

    /// The highest number that was ever given to an entity, or to an object.
    func highestNumber(of table: MigrationTable) async throws(MigrationError) -> Int64

    /// Marks the database as incomplete, on the disk: no server starts on it from now on.
    func begin() async throws(MigrationError)

    /// Writes new rows.
    func insert(_ rows: [[Cell]], into table: MigrationTable) async throws(MigrationError)

    /// Makes the tables, columns and indexes that are computed from the copied rows, and sets the sequences of numbers.
    ///
    /// - Parameter numbers: The highest numbers that were ever given, by the tables' names in a folder.
    /// - Throws: ``MigrationError`` with code `failed`.
    func complete(numbers: [String: Int64]) async throws(MigrationError)

    /// Compares the database's tables, columns, indexes, constraints and triggers with those that this program's steps make.
    func compareSchema() async throws(MigrationError) -> SchemaComparison

    /// Removes the mark of ``begin()``: servers may start on the database.
    func release() async throws(MigrationError)

    /// Checks that no server uses the database.
    ///
    /// - Throws: ``MigrationError`` with code `inUse`, or `failed` if this can't be found out.
    func checkUnused() async throws(MigrationError)

    /// Closes the database.
    func close() async
}

/// What a database has beside what this program's steps make.
package struct SchemaComparison: Hashable, Sendable {
    /// How many parts the steps make: columns, indexes, constraints, triggers and functions.
    package let count: Int

    /// The parts that are missing or different, as the steps make them.
    package let differences: [String]

    /// Creates a comparison.
    package init(count: Int, differences: [String]) {
        self.count = count
        self.differences = differences
    }
}
