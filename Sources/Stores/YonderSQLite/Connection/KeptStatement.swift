import CSQLite

/// The statement of a hot path, found without hashing its text.
///
/// Looking a statement up by its text takes as long as running a short one. The connection owns the statement: when the
/// connection is closed, the statement goes, and the next use prepares it again. Used on its connection's queue alone.
package final class KeptStatement {
    private let sql: String
    private weak var statement: PreparedStatement?

    /// Creates it for one text, without preparing it.
    package init(_ sql: String) {
        self.sql = sql
    }

    /// The statement of this connection.
    func statement(in database: Database) throws -> PreparedStatement {
        if let statement, sqlite3_db_handle(statement.handle) == database.handle { return statement }
        let prepared = try database.prepared(sql)
        statement = prepared
        return prepared
    }
}
