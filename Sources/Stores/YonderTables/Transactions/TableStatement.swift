/// One command for both databases, as a text in PostgreSQL's dialect.
///
/// SQLite's text is made from it: `$1` becomes `?1`, `= ANY($1)` a list of `json_each`, and casts and row locks go. A
/// `CREATE TABLE` gets SQLite's types and is STRICT. Only a command that needs different SQL has a text of its own there.
///
/// Each table of `YonderTables` has its statements as constants; a store prepares one by its text or ``name`` on each
/// connection, and an error in the text is thrown when it first runs. What PostgreSQL's text may use is what `sqlite(from:)`
/// translates: a further construct is added there, and tried by a test of the statement over both databases.
/// `StatementCostTests` holds the cost of each statement.
///
/// The name, a hash of the text, may be changed: it names prepared statements of one connection alone.
package struct TableStatement: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// PostgreSQL's text; every parameter of an integer is a `bigint`.
    package let postgreSQL: String

    /// SQLite's text, or `nil` if SQLite needs no such command, as for a lock: its one writer is alone.
    package let sqlite: String?

    /// The name on a connection to PostgreSQL: the text's beginning, for an operator's log, and a number of all of it.
    package let name: String

    /// Creates a statement.
    ///
    /// - Parameters:
    ///   - sql: The text in PostgreSQL's dialect.
    ///   - sqlite: SQLite's text if it can't be made from the other.
    package init(_ sql: String, sqlite: String? = nil) {
        self.init(postgreSQL: sql, sqlite: sqlite ?? Self.sqlite(from: sql))
    }

    /// Creates a statement whose text in SQLite is made from PostgreSQL's.
    package init(stringLiteral sql: String) {
        self.init(sql)
    }

    private init(postgreSQL: String, sqlite: String?) {
        self.postgreSQL = postgreSQL
        self.sqlite = sqlite
        // FNV-1a; PostgreSQL's names have up to 63 bytes.
        let hash = postgreSQL.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        name = "\(String(decoding: postgreSQL.utf8.prefix(40), as: UTF8.self)) \(String(hash, radix: 36))"
    }

    /// A command that PostgreSQL alone runs, to wait for other transactions.
    package static func lock(_ sql: String) -> TableStatement {
        TableStatement(postgreSQL: sql, sqlite: nil)
    }

    /// A statement that PostgreSQL alone needs.
    package static func inPostgreSQL(_ sql: String) -> TableStatement {
        TableStatement(postgreSQL: sql, sqlite: nil)
    }

    /// SQLite's text for PostgreSQL's: without casts and row locks, with a list for each array, and `?1` for `$1`.
    private static func sqlite(from sql: String) -> String {
        guard !sql.hasPrefix("CREATE TABLE") else { return sqlite(fromTable: sql) }
        return sql.replacing(/::(bigint|bytea|text)(\[\])?/, with: "")
            .replacing(/= ANY\(\$([0-9]+)\)/) { "IN (SELECT value FROM json_each(?\($0.output.1)))" }
            .replacing(#/ FOR (UPDATE|KEY SHARE)( SKIP LOCKED)?/#, with: "")
            .replacing("greatest(", with: "max(").replacing("least(", with: "min(")
            .replacing("$", with: "?")
    }

    private static func sqlite(fromTable sql: String) -> String {
        sql.replacing(/\b(bigint|boolean)\b/, with: "INTEGER").replacing(/\bbytea\b/, with: "BLOB")
            .replacing("double precision", with: "REAL").replacing(" COLLATE \"C\"", with: "") + " STRICT"
    }
}

/// A statement that reads, with its parameters and what one row becomes.
package struct TableQuery<Value: Sendable>: Sendable {
    /// The statement.
    package let statement: TableStatement

    /// The values of its parameters, in order.
    package let parameters: [TableValue]

    /// Reads a row; `nil` for one that is left out.
    package let value: @Sendable (any TableRow) -> Value?

    /// Creates a query.
    package init(
        _ statement: TableStatement,
        _ parameters: [TableValue] = [],
        _ value: @escaping @Sendable (any TableRow) -> Value?
    ) {
        self.statement = statement
        self.parameters = parameters
        self.value = value
    }
}
