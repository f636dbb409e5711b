/// One row of a statement's result, which a noun's table reads: SQLite's and PostgreSQL's stores each have a row of their own.
///
/// A query's closure reads it; `SQLiteRow` and PostgreSQL's `Row` implement it, and must give the same values for the same
/// content (the suite in `TestSupport/Stores`). Nothing here throws. Columns are counted from 0. A row is valid inside the
/// closure that receives it alone: the next row replaces its content, so copy the values out. A column that the statement
/// doesn't have, or of another type, is a mistake of the program.
package protocol TableRow {
    /// Whether a column is NULL.
    func isNull(_ column: Int) -> Bool

    /// A number; 0 for NULL.
    func int(_ column: Int) -> Int64

    /// A truth value; `false` for NULL.
    func bool(_ column: Int) -> Bool

    /// A number with a fraction; 0 for NULL.
    func double(_ column: Int) -> Double

    /// A text; empty for NULL.
    func text(_ column: Int) -> String

    /// Bytes; none for NULL.
    func bytes(_ column: Int) -> [UInt8]
}

extension TableRow {
    /// A number, or NULL.
    package func optionalInt(_ column: Int) -> Int64? { isNull(column) ? nil : int(column) }

    /// A text, or NULL.
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
}
