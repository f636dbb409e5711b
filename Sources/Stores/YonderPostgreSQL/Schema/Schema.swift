#if Postgres
import Logging
import YonderLibPQ
import YonderModel

/// Brings the tables to the newest version by ``SchemaSteps``, and checks that they have what the steps make.
///
/// On a database with all steps it changes nothing. A step that fails, or whose process ends, is rolled back, the store
/// isn't opened, and the next start makes it again; the steps before it stay. A step may take hours; servers that start
/// meanwhile wait for it.
///
/// An older program may use a database with further steps, if `least` isn't above its own version: so a cluster's servers
/// are replaced one after the other. Raise `least` for a step after which an older program would read or write wrongly. The
/// number of the lock and the table `schema` stay, as every version goes by them.
enum Schema {
    /// The oldest version of the program's tables that can use the database after the newest step.
    private static let least: Int64 = 1

    private static var version: Int64 { Int64(SchemaSteps.all.count) }

    /// Brings the database to the newest version, a transaction for each step.
    ///
    /// Processes that do so at once wait for each other by an advisory lock.
    ///
    /// - Parameters:
    ///   - link: A connection of upkeep, which nothing else uses.
    ///   - admitsIncomplete: Whether to prepare also a database into which a migration hasn't ended.
    ///   - needsIndexes: Whether to refuse a database that lacks an index.
    ///   - logger: Receives steps, and what is waited for.
    /// - Throws: ``PostgreSQLError`` with code `unreachable`, `tooOld`, `tooNew`, `notEmpty`, `incomplete` or `damaged`.
    static func prepare(
        over link: Link,
        admitsIncomplete: Bool,
        needsIndexes: Bool,
        logger: Logger
    ) async throws(PostgreSQLError) {
        let connection = SchemaConnection(over: link, logger: logger)
        do {
            let number = try await connection.transaction {
                try await $0.query(serverVersion).first?.int(0) ?? 0
            }
            try checkServer(number)
            let isNew = try await connection.transaction { try await versions($0) == nil }
            // Without the lock, so that a server of this version needn't wait for the steps of a newer one.
            while !(try await connection.transaction { try await isReady($0, admitsIncomplete) }) {
                let problem = try await connection.whenFree {
                    try await step($0, admitsIncomplete, isNew ? nil : logger)
                }
                guard case .again = problem else { throw problem.error }
            }
            if needsIndexes { try await checkIndexes(connection) }
        } catch let error as PostgreSQLError {
            throw error
        } catch {
            throw PostgreSQLError(
                .unreachable,
                "The database can't be used: \(link.lastFailure ?? "\(error)")"
            )
        }
    }

    /// The oldest server that has what the tables and statements use, as `server_version_num` has it.
    private static let oldestServer: Int64 = 150_000

    /// Refuses a server that is too old, by its `server_version_num`.
    ///
    /// - Throws: ``PostgreSQLError`` with code `tooOld`.
    static func checkServer(_ number: Int64) throws(PostgreSQLError) {
        guard number < oldestServer else { return }
        throw PostgreSQLError(
            .tooOld,
            """
            The server is PostgreSQL \(number / 10_000).\(number % 10_000), and this program needs version \(oldestServer / 10_000) or newer. \
            Nothing was changed.
            """
        )
    }

    private static let serverVersion = Statement(
        once: "SELECT current_setting('server_version_num')::bigint"
    )

    private enum Problem: Sendable {
        /// A step was made; there may be another.
        case again
        case tooNew(Int64)
        case notEmpty
        case incomplete

        var error: PostgreSQLError {
            switch self {
            case .again, .notEmpty:
                PostgreSQLError(
                    .notEmpty,
                    "The database has tables, but not those of this program; name an empty database."
                )
            case .incomplete:
                PostgreSQLError(
                    .incomplete,
                    """
                    The database isn't complete: yonder migrate was interrupted, or found differences. Make an empty database \
                    and migrate again.
                    """
                )
            case .tooNew(let least):
                PostgreSQLError(
                    .tooNew,
                    "The database's tables need version \(least) of this program's, which has \(version); use a newer program."
                )
            }
        }
    }

    /// Whether the database has every step and may be opened.
    private static func isReady(_ transaction: Transaction, _ admitsIncomplete: Bool) async throws -> Bool {
        guard let known = try await versions(transaction) else { return false }
        return known.version >= version && known.least <= version && (admitsIncomplete || !known.isIncomplete)
    }

    /// Runs the next step of the schema, or returns `nil` while another process runs one.
    private static func step(_ transaction: Transaction, _ admitsIncomplete: Bool, _ logger: Logger?)
        async throws
        -> Problem?
    {
        guard try await transaction.query(lock).first?.bool(0) == true else { return nil }
        try await transaction.execute(lockTimeout)
        guard let known = try await versions(transaction) else {
            if try await transaction.query(tables).first?.int(0) != 0 { return .notEmpty }
            try await transaction.execute(Statement(once: table))
            try await transaction.execute(
                Statement(once: "INSERT INTO schema (version, least) VALUES (0, 0)")
            )
            return .again
        }
        guard known.least <= version else { return .tooNew(known.least) }
        guard admitsIncomplete || !known.isIncomplete else { return .incomplete }
        guard known.version < version else { return .again }
        guard known.version >= 0 else { return .incomplete }
        logger?.notice(
            "Bringing the database's tables to the next version, which may take long",
            metadata: ["version": "\(known.version + 1)", "of": "\(version)"]
        )
        for statement in SchemaSteps.all[Int(known.version)] {
            try await transaction.execute(Statement(once: statement))
        }
        let next = known.version + 1
        try await transaction.execute(
            Statement(once: "UPDATE schema SET version = $1, least = greatest(least, $2)"),
            [.int(next), .int(next == version ? least : 0)]
        )
        return .again
    }

    // MARK: Indexes

    /// The indexes that the steps make.
    static var indexes: ExpectedIndexes { ExpectedIndexes(of: SchemaSteps.all.flatMap(\.self)) }

    /// Refuses a database that lacks an index of its steps: without the unique ones a message is stored twice, without the
    /// others each takes as long as reading the table.
    ///
    /// A database with further steps isn't checked, as these may have removed some.
    private static func checkIndexes(_ connection: SchemaConnection) async throws {
        let missing = try await connection.transaction { transaction -> [ExpectedIndexes.Index] in
            guard try await versions(transaction)?.version == version else { return [] }
            let present = Set(try await transaction.query(presentIndexes).map { $0.text(0) })
            return indexes.all.filter { !present.contains($0.name) }
        }
        guard !missing.isEmpty else { return }
        let cures = missing.compactMap { index in
            index.creation.map { creation in
                let line = creation.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                return "DROP INDEX IF EXISTS \(index.name); \(line);"
            }
        }
        throw PostgreSQLError(
            .damaged,
            """
            The database lacks indexes that its tables had: \(missing.map(\.name).joined(separator: ", ")). An interrupted yonder \
            migrate of an earlier version, or another program, has removed them. \(
                cures.count == missing.count
                    ? "Stop all servers, run in psql: \(cures.joined(separator: " ")) Then start again."
                    : "Restore a backup, or migrate into an empty database."
            )
            """
        )
    }

    /// An index that couldn't be made whole counts as none.
    static let presentIndexes = Statement(
        once: """
            SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND i.indisvalid
            """
    )

    private static func versions(_ transaction: Transaction) async throws -> (
        version: Int64, least: Int64, isIncomplete: Bool
    )? {
        guard let row = try await transaction.query(exists).first, row.bool(0) else { return nil }
        let versions = try await transaction.query(
            Statement(once: "SELECT version, least, is_incomplete FROM schema")
        )
        return versions.first.map { ($0.int(0), $0.int(1), $0.bool(2)) }
    }

    /// `is_incomplete` is set while `yonder migrate` fills the tables.
    static let table = """
        CREATE TABLE schema (
            version bigint NOT NULL, least bigint NOT NULL, is_incomplete boolean NOT NULL DEFAULT false
        )
        """

    /// The number has no meaning but to be the same in every version.
    private static let lock = Statement(once: "SELECT pg_try_advisory_xact_lock(7923006741)")

    private static let lockTimeout = Statement(
        once: "SET LOCAL lock_timeout = \(SchemaConnection.lockTimeout)"
    )

    /// Asks the catalog's rows: `to_regclass` may answer from a cache that doesn't have a table yet which another process has made
    /// since this transaction began.
    private static let exists = Statement(
        once: """
            SELECT count(*) > 0 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = current_schema() AND relname = 'schema'
            """
    )

    private static let tables = Statement(
        once: """
            SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm', 'f')
            """
    )
}
#endif
