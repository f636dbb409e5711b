import CSQLite

/// A statement of one connection, prepared at the first use of its text.
///
/// Parameters are numbered from 1, columns from 0. Used on its connection's queue alone; a text that is in use can't be
/// used a second time meanwhile.
///
/// Every store over SQLite, the outbox and the gazetteer make one where a statement runs, inside a turn of the
/// connection's queue, bind, run, and drop it. A failure is a `DatabaseError` with SQLite's code; a text that is no
/// single statement is `misuse`. A place that doesn't exist is the caller's mistake, and binds nothing.
///
/// ``next()`` must be followed by ``reset()``, which the other functions do themselves: an open statement holds its
/// snapshot, and the log can't be emptied. Values are copied when they are bound (`DatabaseTests`; decision 42).
package struct Statement {
    private let statement: PreparedStatement
    private let database: Database
    private var handle: OpaquePointer { statement.handle }

    package init(_ database: Database, _ sql: String) throws {
        statement = try database.prepared(sql)
        self.database = database
    }

    /// Binds all parameters, the first at 1.
    init(_ database: Database, _ sql: String, _ arguments: [(any DatabaseValue)?]) throws {
        try self.init(database, sql)
        for (place, value) in arguments.enumerated() {
            let place = CInt(place + 1)
            if let value { value.bind(to: self, at: place) } else { bind(nil, at: place) }
        }
    }

    package init(_ database: Database, _ kept: KeptStatement) throws {
        statement = try kept.statement(in: database)
        self.database = database
    }

    package func bind(_ value: Int64?, at place: CInt) {
        guard let value else {
            sqlite3_bind_null(handle, place)
            return
        }
        sqlite3_bind_int64(handle, place, value)
    }

    package func bind(real value: Double?, at place: CInt) {
        guard let value else {
            sqlite3_bind_null(handle, place)
            return
        }
        sqlite3_bind_double(handle, place, value)
    }

    /// Binds text, which must contain no zero byte.
    package func bind(text: String, at place: CInt) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                _ = sqlite3_bind_text(handle, place, bytes.baseAddress, CInt(bytes.count), Self.copied)
            }
        }
    }

    package func bind(utf8 text: String, at place: CInt) {
        var text = text
        text.withUTF8 { bind(UnsafeRawBufferPointer($0), at: place) }
    }

    package func bind(bytes: [UInt8]?, at place: CInt) {
        guard let bytes else {
            sqlite3_bind_null(handle, place)
            return
        }
        bytes.withUnsafeBytes { bind($0, at: place) }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at place: CInt) {
        // A null pointer would bind NULL.
        if bytes.isEmpty {
            sqlite3_bind_zeroblob(handle, place, 0)
        } else {
            sqlite3_bind_blob(handle, place, bytes.baseAddress, CInt(bytes.count), Self.copied)
        }
    }

    /// Runs the statement to its end.
    ///
    /// - Returns: The number of rows changed.
    @discardableResult
    package func run() throws -> Int {
        defer { sqlite3_reset(handle) }
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE else { throw failure(code) }
        return database.changesCount
    }

    /// Calls `body` for each row.
    package func forEachRow(_ body: (Row) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while true {
            let code = sqlite3_step(handle)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure(code) }
            try body(Row(handle: handle))
        }
    }

    /// The result of `body` for the first row, or `nil` if there is none.
    package func first<Value>(_ body: (Row) throws -> Value) throws -> Value? {
        defer { sqlite3_reset(handle) }
        let code = sqlite3_step(handle)
        if code == SQLITE_DONE { return nil }
        guard code == SQLITE_ROW else { throw failure(code) }
        return try body(Row(handle: handle))
    }

    /// The next row, or `nil` at the end; ``reset()`` must follow.
    package func next() throws -> Row? {
        let code = sqlite3_step(handle)
        if code == SQLITE_DONE { return nil }
        guard code == SQLITE_ROW else { throw failure(code) }
        return Row(handle: handle)
    }

    /// Resets the statement: an open one would keep its transaction's snapshot.
    package func reset() {
        sqlite3_reset(handle)
    }

    private func failure(_ code: CInt) -> DatabaseError {
        DatabaseError(code, of: database.handle)
    }

    /// SQLite copies the value before the call returns (`SQLITE_TRANSIENT`).
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// The current row of a statement.
package struct Row {
    fileprivate let handle: OpaquePointer

    package func isNull(_ column: CInt) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    package func integer(_ column: CInt) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    package func real(_ column: CInt) -> Double {
        sqlite3_column_double(handle, column)
    }

    package func optionalInteger(_ column: CInt) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    package func bytes(_ column: CInt) -> [UInt8] {
        [UInt8](raw(column))
    }

    package func string(_ column: CInt) -> String {
        String(decoding: raw(column), as: UTF8.self)
    }

    private func raw(_ column: CInt) -> UnsafeRawBufferPointer {
        // The pointer must be requested before the length, as SQLite documents.
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

/// SQLite's form of a statement, freed with the connection's other statements.
final class PreparedStatement {
    let handle: OpaquePointer

    /// - Throws: `DatabaseError` if the text isn't exactly one statement that the database can run.
    init(_ database: Database, _ sql: String) throws {
        var (prepared, rest): (OpaquePointer?, String?) = (nil, nil)
        let code = sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let flags = CUnsignedInt(SQLITE_PREPARE_PERSISTENT)
            let code = sqlite3_prepare_v3(database.handle, text, -1, flags, &prepared, &tail)
            rest = tail.map { String(cString: $0) }
            return code
        }
        guard code == SQLITE_OK else { throw DatabaseError(code, of: database.handle) }
        guard let prepared, rest?.allSatisfy(\.isWhitespace) ?? true else {
            sqlite3_finalize(prepared)
            throw DatabaseError(resultCode: .misuse, message: "Not one statement: \(sql)")
        }
        handle = prepared
    }

    deinit {
        sqlite3_finalize(handle)
    }
}
