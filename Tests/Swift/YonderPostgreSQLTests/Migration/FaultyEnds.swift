#if Postgres
import Synchronization
import YonderMigration
import YonderTables

/// An end that fails when a certain page is read.
final class EndThatFails: MigrationEnd {
    static let failure = MigrationError(.failed, "The test ends here.")

    private let end: any MigrationEnd
    private let pages: Mutex<Int>

    init(_ end: any MigrationEnd, atPage page: Int) {
        self.end = end
        pages = Mutex(page)
    }

    var place: String { end.place }

    func rows(of table: MigrationTable, after key: [Cell]?, limit: Int) async throws(MigrationError)
        -> [[Cell]]
    {
        let isLast = pages.withLock { pages in
            pages -= 1
            return pages <= 0
        }
        guard !isLast else { throw Self.failure }
        return try await end.rows(of: table, after: key, limit: limit)
    }

    func tableNames() async throws(MigrationError) -> Set<String> { try await end.tableNames() }

    func highestNumber(of table: MigrationTable) async throws(MigrationError) -> Int64 {
        try await end.highestNumber(of: table)
    }

    func begin() async throws(MigrationError) { try await end.begin() }

    func insert(_ rows: [[Cell]], into table: MigrationTable) async throws(MigrationError) {
        try await end.insert(rows, into: table)
    }

    func complete(numbers: [String: Int64]) async throws(MigrationError) {
        try await end.complete(numbers: numbers)
    }

    func compareSchema() async throws(MigrationError) -> SchemaComparison { try await end.compareSchema() }

    func release() async throws(MigrationError) { try await end.release() }

    func checkUnused() async throws(MigrationError) { try await end.checkUnused() }

    func close() async { await end.close() }
}

/// An end that writes a wrong fingerprint for the first message.
final class EndThatChanges: MigrationEnd {
    private let end: any MigrationEnd
    private let isFirst = Mutex(true)

    init(_ end: any MigrationEnd) {
        self.end = end
    }

    var place: String { end.place }

    func insert(_ rows: [[Cell]], into table: MigrationTable) async throws(MigrationError) {
        guard table.name == "message",
            isFirst.withLock({ isFirst in
                defer { isFirst = false }; return isFirst
            })
        else { return try await end.insert(rows, into: table) }
        let column = table.columns.firstIndex { $0.name == "fingerprint" } ?? 0
        var rows = rows
        rows[0][column] = .int((rows[0][column].int ?? 0) &+ 1)
        try await end.insert(rows, into: table)
    }

    func rows(of table: MigrationTable, after key: [Cell]?, limit: Int) async throws(MigrationError)
        -> [[Cell]]
    {
        try await end.rows(of: table, after: key, limit: limit)
    }

    func tableNames() async throws(MigrationError) -> Set<String> { try await end.tableNames() }

    func highestNumber(of table: MigrationTable) async throws(MigrationError) -> Int64 {
        try await end.highestNumber(of: table)
    }

    func begin() async throws(MigrationError) { try await end.begin() }

    func complete(numbers: [String: Int64]) async throws(MigrationError) {
        try await end.complete(numbers: numbers)
    }

    func compareSchema() async throws(MigrationError) -> SchemaComparison { try await end.compareSchema() }

    func release() async throws(MigrationError) { try await end.release() }

    func checkUnused() async throws(MigrationError) { try await end.checkUnused() }

    func close() async { await end.close() }
}
#endif
