import YonderGeodesy
import YonderJSON
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

/// A transaction of SQLite's writer, or the snapshot of a reader.
///
/// `SQLiteStore+Tables.swift` makes one for each call of a port on tables, `ChatWriter` and `MessageReader` one inside
/// theirs. Errors are the database's, which roll back; a constraint is the `duplicate` that the caller names. A
/// statement that SQLite doesn't need (its triggers and one writer do the work) counts as done, with no rows.
///
/// `BlockingTransaction` is the same for PostgreSQL; both must answer alike, which the conformance suite in
/// `TestSupport/Stores` holds. A list is bound as JSON for `json_each`, which statements rely on (decision 41).
///
/// Which statements are left out is decided by each statement, not here.
struct SQLiteTransaction: TableTransaction {
    let database: Database

    /// The writer, or `nil` for a reader.
    let writer: ChatWriter?

    init(_ database: Database, _ writer: ChatWriter? = nil) {
        self.database = database
        self.writer = writer
    }

    func rows<Value>(
        _ statement: TableStatement,
        _ parameters: [TableValue],
        _ value: (any TableRow) throws -> Value?
    ) throws -> [Value] {
        guard let statement = try prepared(statement, parameters) else { return [] }
        var values: [Value] = []
        try statement.forEachRow { row in
            if let value = try value(SQLiteRow(row: row)) { values.append(value) }
        }
        return values
    }

    @discardableResult
    func execute(_ statement: TableStatement, _ parameters: [TableValue], duplicate: SharingError?) throws
        -> Int
    {
        guard let statement = try prepared(statement, parameters) else { return 0 }
        do {
            return try statement.run()
        } catch let error as DatabaseError where error.resultCode == .constraint {
            throw duplicate ?? error
        }
    }

    func tell(_ change: (inout StoreCommit) -> Void) {
        if let writer { change(&writer.commit) }
    }

    func insert(_ chat: Chat) throws { try ChatRow.insert(chat, into: database) }

    func endShares(_ end: SignInEnd) throws { try writer?.endShares(end, in: database) }

    func blocksChanged(of chat: ChatID) throws {
        guard let writer else { return }
        writer.touch(chat)
        try writer.entry(chat, in: database).isClosed = nil
    }

    /// The shares of a chat whose positions can't be read any more at `now`, and aren't erased yet.
    func hiddenShares(of chat: ChatID, at now: Timestamp) throws -> Set<ShareID> {
        Set(try rows(ShareTable.hidden(of: chat, at: now)))
    }

    /// The statement with its parameters, or `nil` if SQLite doesn't need it.
    private func prepared(_ statement: TableStatement, _ parameters: [TableValue]) throws -> Statement? {
        guard let sql = statement.sqlite else { return nil }
        let prepared = try Statement(database, sql)
        for (place, parameter) in parameters.enumerated() {
            prepared.bind(parameter, at: CInt(place + 1))
        }
        return prepared
    }
}

/// A row of SQLite's.
private struct SQLiteRow: TableRow {
    let row: Row

    func isNull(_ column: Int) -> Bool { row.isNull(CInt(column)) }
    func int(_ column: Int) -> Int64 { row.integer(CInt(column)) }
    func bool(_ column: Int) -> Bool { row.integer(CInt(column)) != 0 }
    func double(_ column: Int) -> Double { row.real(CInt(column)) }
    func text(_ column: Int) -> String { row.string(CInt(column)) }
    func bytes(_ column: Int) -> [UInt8] { row.bytes(CInt(column)) }
}

extension Statement {
    /// Binds a value; a list as JSON, for `json_each`.
    fileprivate func bind(_ value: TableValue, at place: CInt) {
        switch value {
        case .null: bind(nil, at: place)
        case .bool(let value): bind(value ? 1 : 0, at: place)
        case .int(let value): bind(value, at: place)
        case .double(let value): bind(real: value, at: place)
        case .text(let text): bind(text: text, at: place)
        case .bytes(let bytes): bind(bytes: bytes, at: place)
        case .ints(let values): bind(text: IDList(values).text, at: place)
        case .texts(let texts):
            var writer = JSONWriter()
            var separator: StaticString = "["
            for text in texts {
                writer.raw(separator)
                writer.string(text)
                separator = ","
            }
            if texts.isEmpty { writer.raw("[") }
            writer.raw("]")
            bind(text: String(decoding: writer.bytes, as: UTF8.self), at: place)
        }
    }
}
