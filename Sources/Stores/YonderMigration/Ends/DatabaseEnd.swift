#if Postgres
import Synchronization
package import YonderLibPQ
import YonderModel
import YonderPostgreSQL
package import YonderTables

/// A PostgreSQL database that no server uses.
///
/// While it is open, it holds the exclusive claim with which a single server claims a database, so that no other server can
/// start.
///
/// An error of a target leaves the database marked as incomplete, which no server opens. A target that has no row yet can be
/// filled by another migration; one with rows is refused.
///
/// The tables and columns are those of `NounLists.swift`. What PostgreSQL alone has is filled by ``complete(numbers:)``.
package struct DatabaseEnd: MigrationEnd {
    /// The hosts and the database.
    package let place: String

    private let store: PostgreSQLStore
    private let link: Link
    private let complaints: Complaints

    /// Connects to a source.
    ///
    /// - Throws: ``MigrationError`` with code `noSource`, `inUse`, `failed`, or `notEmpty` for a database with another
    ///   program's tables.
    package static func source(_ address: PostgreSQLAddress) async throws(MigrationError) -> DatabaseEnd {
        try await checkTables(address)
        return try await opened(address, isTarget: false)
    }

    /// Connects to a target.
    ///
    /// - Throws: ``MigrationError`` with code `inUse`, `failed`, or `notEmpty` for a database with another program's tables.
    package static func target(_ address: PostgreSQLAddress) async throws(MigrationError) -> DatabaseEnd {
        try await opened(address, isTarget: true)
    }

    /// Refuses a database in which no server has made its tables: opening it would make them, and copy nothing.
    private static func checkTables(_ address: PostgreSQLAddress) async throws(MigrationError) {
        let link = Link(address.named("yonder migrate"), for: .upkeep) { _ in }
        let answer: Result<Bool, LinkFailure>
        do throws(LinkFailure) {
            let rows = try await link.run(Statement(once: "SELECT to_regclass('schema') IS NOT NULL")).rows
            answer = .success(rows.first?.bool(0) ?? false)
        } catch {
            answer = .failure(error)
        }
        await link.close()
        switch answer {
        case .success(true): break
        case .success(false):
            throw MigrationError(
                .noSource,
                "\(address) has no tables of a server; name the database to copy."
            )
        case .failure(let error):
            throw MigrationError(.failed, "\(address) can't be read: \(error.message)")
        }
    }

    /// Connects; retries for two seconds while a server has the database, because the server may be ending.
    private static func opened(_ address: PostgreSQLAddress, isTarget: Bool) async throws(MigrationError)
        -> DatabaseEnd
    {
        let address = address.named("yonder migrate")
        let end = ContinuousClock.now + .seconds(2)
        while true {
            do throws(PostgreSQLError) {
                return DatabaseEnd(address, try await open(address, isTarget: isTarget))
            } catch {
                guard error.code == .inUse, ContinuousClock.now < end else { throw failure(error, address) }
            }
            try? await ContinuousClock().sleep(for: .milliseconds(50))
        }
    }

    private static func open(_ address: PostgreSQLAddress, isTarget: Bool) async throws(PostgreSQLError)
        -> PostgreSQLStore
    {
        var settings = PostgreSQLStore.Settings()
        settings.readers = 1
        settings.transactions = 1
        return try await .open(
            address,
            settings: settings,
            for: .alone,
            admitsIncomplete: isTarget,
            needsIndexes: false
        )
    }

    private static func failure(_ error: PostgreSQLError, _ address: PostgreSQLAddress) -> MigrationError {
        switch error.code {
        case .inUse: inUse("\(address)")
        case .incomplete: MigrationError(.noSource, error.message)
        case .notEmpty: MigrationError(.notEmpty, error.message)
        default: MigrationError(.failed, error.message)
        }
    }

    private static func inUse(_ place: String) -> MigrationError {
        MigrationError(.inUse, "A server uses \(place). Stop every server that does, and begin again.")
    }

    private init(_ address: PostgreSQLAddress, _ store: PostgreSQLStore) {
        place = "\(address)"
        self.store = store
        let complaints = Complaints()
        self.complaints = complaints
        link = Link(address, for: .upkeep) { complaints.note($0) }
    }

    /// Checks that no server is connected; waits up to two seconds for connections that are ending.
    package func checkUnused() async throws(MigrationError) {
        let end = ContinuousClock.now + .seconds(2)
        let others = """
            SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'yonder' LIMIT 1
            """
        while try await !run(Statement(name: "others", sql: others)).isEmpty {
            guard ContinuousClock.now < end else { throw Self.inUse(place) }
            try? await ContinuousClock().sleep(for: .milliseconds(50))
        }
    }

    package func tableNames() async throws(MigrationError) -> Set<String> {
        let names = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
        return Set(try await run(Statement(once: names)).map { $0.text(0) })
    }

    package func rows(of table: MigrationTable, after key: [Cell]?, limit: Int) async throws(MigrationError)
        -> [[Cell]]
    {
        let names = table.key.map(\.databaseValue).joined(separator: ", ")
        let marks = (1...table.keyCount).map { "$\($0)" }.joined(separator: ", ")
        let columns = table.columns.map(\.databaseValue).joined(separator: ", ")
        let statement = Statement(
            name: "read_\(table.name)_\(limit)\(key == nil ? "_first" : "")",
            sql: """
                SELECT \(columns) FROM \(table.name) \(key == nil ? "" : "WHERE (\(names)) > (\(marks))")
                ORDER BY \(names) LIMIT \(limit)
                """
        )
        let parameters = zip(table.key, key ?? []).map { $0.kind.parameter($1) }
        return try await run(statement, parameters).map { row in
            table.columns.indices.map { row.cell($0, table.columns[$0].kind) }
        }
    }

    package func highestNumber(of table: MigrationTable) async throws(MigrationError) -> Int64 {
        let sequence = try await run(
            Statement(once: "SELECT pg_get_serial_sequence('\(table.name)', 'number')::text")
        )
        guard let name = sequence.first?.text(0) else { return 0 }
        let last = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(name)"
        return try await run(Statement(once: last)).first?.int(0) ?? 0
    }

    /// Marks the database as incomplete, and drops the indexes of `message`; ``complete(numbers:)`` makes them after the rows
    /// were copied.
    package func begin() async throws(MigrationError) {
        guard try await run(Self.mayCompare).first?.bool(0) == true else {
            throw MigrationError(
                .failed,
                """
                \(place): the user may not make a schema there, in which the tables are made once more to compare with. Make \
                the user the database's owner, or run GRANT CREATE ON DATABASE.
                """
            )
        }
        do throws(SharingError) {
            try await store.beginFilling()
        } catch {
            throw MigrationError(.failed, "\(place) can't be written: \(error.message)")
        }
    }

    private static let mayCompare = Statement(
        once: "SELECT has_database_privilege(current_database(), 'CREATE')"
    )

    package func insert(_ rows: [[Cell]], into table: MigrationTable) async throws(MigrationError) {
        let places = table.columns.indices.filter { table.columns[$0].isInDatabase }
        let names = places.map { table.columns[$0].name }
        let values = places.enumerated().map { number, column in
            table.columns[column].kind == .bool ? "c\(number) = 1" : "c\(number)"
        }
        let arrays = places.enumerated().map { "$\($0 + 1)::\(table.columns[$1].kind.arrayType)" }
        let more = Self.derived[table.name]
        let statement = Statement(
            name: "insert_\(table.name)",
            sql: """
                INSERT INTO \(table.name) (\((names + (more.map { [$0] } ?? [])).joined(separator: ", ")))
                OVERRIDING SYSTEM VALUE
                SELECT \((values + (more == nil ? [] : ["0"])).joined(separator: ", "))
                FROM unnest(\(arrays.joined(separator: ", "))) AS t (\(values.indices.map { "c\($0)" }.joined(separator: ", ")))
                """
        )
        let parameters = places.map { place in
            table.columns[place].kind.parameter(rows.map { $0[place] })
        }
        try await run(statement, parameters)
    }

    /// Columns that PostgreSQL alone has and that ``complete(numbers:)`` fills, by their tables.
    private static let derived = ["object": "change"]

    package func complete(numbers: [String: Int64]) async throws(MigrationError) {
        try await working { link async throws(LinkFailure) in
            try await PostgreSQLStore.makeIndexes(over: link)
        }
        for statement in Self.completion { try await run(Statement(once: statement)) }
        for analysis in try await run(Self.analyses) { try await run(Statement(once: analysis.text(0))) }
        for (table, number) in numbers where number > 0 {
            let setting = "SELECT setval(pg_get_serial_sequence('\(table)', 'number'), $1)"
            try await run(Statement(once: setting), [.int(number)])
        }
    }

    /// An object's `change` gets the number that it would have if all objects had just been created in their order.
    private static let completion = [
        """
        INSERT INTO location_last (chat, sender, number)
        SELECT chat, sender, max(number) FROM message WHERE tag = 'Location' AND late IS NULL GROUP BY chat, sender
        """,
        """
        INSERT INTO lane (entity, lane, last, count)
        SELECT number, lane.lane, coalesce(objects, 0), coalesce(objects, 0)
        FROM entity CROSS JOIN generate_series(0::bigint, 15::bigint) AS lane LEFT JOIN (
            SELECT entity, id % 16 AS lane, count(*) AS objects FROM object GROUP BY 1, 2
        ) AS counted ON counted.entity = number AND counted.lane = lane.lane
        """,
        """
        UPDATE object SET change = place FROM (
            SELECT id, row_number() OVER (PARTITION BY entity, id % 16 ORDER BY number) AS place FROM object
        ) AS counted WHERE counted.id = object.id
        """,
    ]

    /// One `ANALYZE` for each table of the server's: the others in the database belong to its superuser.
    private static let analyses = Statement(
        once: "SELECT format('ANALYZE %I', tablename) FROM pg_tables WHERE schemaname = current_schema()"
    )

    package func compareSchema() async throws(MigrationError) -> SchemaComparison {
        let (count, differences) = try await working { link async throws(LinkFailure) in
            try await PostgreSQLStore.compareSchema(over: link)
        }
        return SchemaComparison(count: count, differences: differences)
    }

    package func release() async throws(MigrationError) {
        do throws(SharingError) {
            try await store.endFilling()
        } catch {
            throw MigrationError(.failed, "\(place) can't be written: \(error.message)")
        }
    }

    package func close() async {
        await link.close()
        await store.close()
    }

    @discardableResult
    private func run(_ statement: Statement, _ parameters: [Parameter] = []) async throws(MigrationError)
        -> [Row]
    {
        try await working { link async throws(LinkFailure) in try await link.run(statement, parameters).rows }
    }

    private func working<Value>(_ body: (Link) async throws(LinkFailure) -> Value)
        async throws(MigrationError)
        -> Value
    {
        do throws(LinkFailure) {
            return try await body(link)
        } catch {
            throw MigrationError(.failed, "\(place): \(complaints.last ?? error.message)")
        }
    }
}

/// The first complaint of a link, for errors: if a statement's preparation fails, its message has the cause.
private final class Complaints: Sendable {
    private let message = Mutex<String?>(nil)

    var last: String? { message.withLock(\.self) }

    func note(_ complaint: String) {
        message.withLock { $0 = $0 ?? complaint }
    }
}

extension Column.Kind {
    fileprivate var arrayType: String {
        switch self {
        case .int, .bool: "bigint[]"
        case .double: "double precision[]"
        case .text: "text[]"
        case .bytes: "bytea[]"
        }
    }

    fileprivate func parameter(_ cells: [Cell]) -> Parameter {
        switch self {
        case .int, .bool: .optionalInts(cells.map(\.int))
        case .double: .optionalDoubles(cells.map(\.double))
        case .text: .texts(cells.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } })
        case .bytes: .byteArrays(cells.map(\.bytes))
        }
    }

    fileprivate func parameter(_ cell: Cell) -> Parameter {
        switch self {
        case .int, .bool: .optional(cell.int)
        case .double: .optional(cell.double)
        case .text: .optional(cell.bytes.map { String(decoding: $0, as: UTF8.self) })
        case .bytes: .optional(cell.bytes)
        }
    }
}

extension Row {
    fileprivate func cell(_ column: Int, _ kind: Column.Kind) -> Cell {
        guard !isNull(column) else { return .null }
        return switch kind {
        case .int: .int(int(column))
        case .bool: .int(bool(column) ? 1 : 0)
        case .double: .double(double(column))
        case .text, .bytes: .bytes(bytes(column))
        }
    }
}
#endif
