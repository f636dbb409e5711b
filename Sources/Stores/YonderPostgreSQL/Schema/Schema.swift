#if Postgres
import YonderLibPQ
import YonderModel

/// Brings the tables to the newest version by ``SchemaSteps``.
///
/// `PostgreSQLStore.open` calls ``prepare(_:admitsIncomplete:)`` before anything else reads the tables; on a database with
/// all steps it changes nothing. A step that fails is rolled back, the store isn't opened, and the next start makes it
/// again; the steps before it stay.
///
/// An older program may use a database with further steps, if `least` isn't above its own version: so a cluster's servers
/// are replaced one after the other. Raise `least` for a step after which an older program would read or write wrongly. The
/// number of the lock and the table `schema` must stay, as every version goes by them (`PostgreSQLStoreTests`,
/// `ServerVersionTests`).
enum Schema {
    /// The oldest version of the program's tables that can use the database after the newest step.
    private static let least: Int64 = 1

    private static var version: Int64 { Int64(SchemaSteps.all.count) }

    /// Brings the database to the newest version, a transaction for each step.
    ///
    /// Processes that do so at once wait for each other by an advisory lock.
    ///
    /// - Parameters:
    ///   - store: The store of the database.
    ///   - admitsIncomplete: Whether to prepare also a database into which a migration hasn't ended.
    /// - Throws: ``PostgreSQLError`` with code `unreachable`, `tooOld`, `tooNew`, `notEmpty` or `incomplete`.
    static func prepare(_ store: PostgreSQLStore, admitsIncomplete: Bool) async throws(PostgreSQLError) {
        do {
            let number = try await store.transaction { try await $0.query(serverVersion).first?.int(0) ?? 0 }
            try checkServer(number)
            while let problem = try await store.transaction({ try await step($0, admitsIncomplete) }) {
                guard case .again = problem else { throw problem.error }
            }
        } catch let error as PostgreSQLError {
            throw error
        } catch {
            let cause = store.readers.lazy.compactMap(\.lastFailure).first
            throw PostgreSQLError(.unreachable, "The database can't be used: \(cause ?? "\(error)")")
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

    /// Makes the next step, if there is one.
    private static func step(_ transaction: Transaction, _ admitsIncomplete: Bool) async throws -> Problem? {
        try await transaction.query(lock)
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
        guard known.version < version else { return nil }
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
    private static let table = """
        CREATE TABLE schema (
            version bigint NOT NULL, least bigint NOT NULL, is_incomplete boolean NOT NULL DEFAULT false
        )
        """

    /// The number has no meaning but to be the same in every version.
    private static let lock = Statement(once: "SELECT 1 FROM pg_advisory_xact_lock(7923006741)")

    private static let exists = Statement(once: "SELECT to_regclass('schema') IS NOT NULL")

    private static let tables = Statement(
        once: """
            SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm', 'f')
            """
    )
}
#endif
