#if Postgres
import YonderMigration
import YonderTables

/// A source whose rows are in memory, for many copies at once.
struct RowsEnd: MigrationEnd {
    let place = "the rows"
    let tables: [String: [[Cell]]]
    let numbers: [String: Int64]

    /// Reads all of another end.
    init(_ end: any MigrationEnd) async throws(MigrationError) {
        var (tables, numbers): ([String: [[Cell]]], [String: Int64]) = ([:], [:])
        for table in MigrationTable.all {
            tables[table.name] = try await end.rows(of: table, after: nil, limit: 100_000)
        }
        for table in MigrationTable.all where ["entity", "object"].contains(table.name) {
            numbers[table.name] = try await end.highestNumber(of: table)
        }
        self.tables = tables
        self.numbers = numbers
    }

    func rows(of table: MigrationTable, after key: [Cell]?, limit: Int) async throws(MigrationError)
        -> [[Cell]]
    {
        let rows = tables[table.name] ?? []
        let start = key.flatMap { key in rows.firstIndex { table.key(of: $0) == key } }.map { $0 + 1 } ?? 0
        return Array(rows[start...].prefix(limit))
    }

    func tableNames() async throws(MigrationError) -> Set<String> { Set(tables.keys) }
    func highestNumber(of table: MigrationTable) async throws(MigrationError) -> Int64 {
        numbers[table.name] ?? 0
    }
    func begin() async throws(MigrationError) {}
    func insert(_ rows: [[Cell]], into table: MigrationTable) async throws(MigrationError) {}
    func complete(numbers: [String: Int64]) async throws(MigrationError) {}
    func compareSchema() async throws(MigrationError) -> SchemaComparison {
        SchemaComparison(count: 0, differences: [])
    }
    func release() async throws(MigrationError) {}
    func checkUnused() async throws(MigrationError) {}
    func close() async {}
}
#endif
