import GRDB
import GRDBSQLite

/// The statement of a hot path, found without hashing its text.
///
/// Looking a statement up in GRDB's cache by its text takes as long as running a short one. GRDB's cache owns the
/// statement: when the connection closes or the schema changes, the statement goes, and the next use prepares it again.
/// Used on its connection's queue alone.
package final class KeptStatement {
    private let sql: String
    private weak var statement: Statement?

    /// Creates it for one text, without preparing it.
    package init(_ sql: String) {
        self.sql = sql
    }

    /// The statement of this connection.
    func statement(in database: Database) throws -> Statement {
        if let statement, sqlite3_db_handle(statement.sqliteStatement) == database.sqliteConnection {
            return statement
        }
        let prepared = try database.cachedStatement(sql: sql)
        statement = prepared
        return prepared
    }
}
