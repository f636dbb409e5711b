#if Postgres
/// SQL with parameters `$1`, `$2`, …, prepared once on each connection under its name.
///
/// Two statements of one name must have the same text. One without a name is prepared each time: for text that is
/// run once, such as that of a migration.
package struct Statement: Hashable, Sendable {
    /// The name on the connection; empty for a statement that isn't kept.
    package let name: String

    /// One command, in which every parameter of an integer is a `bigint`: the coding has no other.
    package let sql: String

    /// Creates a statement.
    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// Creates a statement that is prepared each time.
    package init(once sql: String) {
        self.init(name: "", sql: sql)
    }

    /// Ends a transaction and keeps what was done in it.
    package static let commit = Statement(name: "commit", sql: "COMMIT")
}
#endif
