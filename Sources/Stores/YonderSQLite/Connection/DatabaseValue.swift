/// A value that a column may have.
///
/// `Database.execute`, `fetchOne` and `fetchAll` of all stores over SQLite use it; hot statements bind through
/// `Statement` instead. A column of another type is read as SQLite converts it, without an error. A further type
/// conforms here; a text with a zero byte is a `[UInt8]` (`DatabaseTests`).
///
/// How `Bool` is stored, as 0 and 1, must stay: files have it.
package protocol DatabaseValue {
    /// Binds the value to a parameter; parameters are numbered from 1.
    func bind(to statement: Statement, at place: CInt)

    /// Reads a column that isn't NULL; columns are numbered from 0.
    init(_ row: Row, _ column: CInt)
}

extension DatabaseValue {
    /// The first column of the first row; `nil` if there is no row, or it is NULL.
    ///
    /// - Throws: ``DatabaseError``.
    package static func fetchOne(
        _ database: Database,
        sql: String,
        arguments: [(any DatabaseValue)?] = []
    ) throws -> Self? {
        try Statement(database, sql, arguments).first { row in row.isNull(0) ? nil : Self(row, 0) } ?? nil
    }

    /// One column of each row, without NULL.
    ///
    /// - Throws: ``DatabaseError``.
    package static func fetchAll(
        _ database: Database,
        sql: String,
        arguments: [(any DatabaseValue)?] = [],
        column: CInt = 0
    ) throws -> [Self] {
        var values: [Self] = []
        try Statement(database, sql, arguments).forEachRow { row in
            if !row.isNull(column) { values.append(Self(row, column)) }
        }
        return values
    }
}

extension Int64: DatabaseValue {
    package func bind(to statement: Statement, at place: CInt) { statement.bind(self, at: place) }
    package init(_ row: Row, _ column: CInt) { self = row.integer(column) }
}

extension Int: DatabaseValue {
    package func bind(to statement: Statement, at place: CInt) { statement.bind(Int64(self), at: place) }
    package init(_ row: Row, _ column: CInt) { self = Int(row.integer(column)) }
}

extension Bool: DatabaseValue {
    package func bind(to statement: Statement, at place: CInt) { statement.bind(self ? 1 : 0, at: place) }
    package init(_ row: Row, _ column: CInt) { self = row.integer(column) != 0 }
}

extension Double: DatabaseValue {
    package func bind(to statement: Statement, at place: CInt) { statement.bind(real: self, at: place) }
    package init(_ row: Row, _ column: CInt) { self = row.real(column) }
}

extension String: DatabaseValue {
    package func bind(to statement: Statement, at place: CInt) { statement.bind(text: self, at: place) }
    package init(_ row: Row, _ column: CInt) { self = row.string(column) }
}

extension [UInt8]: DatabaseValue {
    package func bind(to statement: Statement, at place: CInt) { statement.bind(bytes: self, at: place) }
    package init(_ row: Row, _ column: CInt) { self = row.bytes(column) }
}
