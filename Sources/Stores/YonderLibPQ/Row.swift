#if Postgres
import CLibPQ

/// The answer to one statement.
// Safe because libpq never changes a result, and only `deinit` frees it.
package final class Table: @unchecked Sendable {
    private let result: OpaquePointer

    /// Takes over a result of libpq.
    package init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    /// The rows, in the order of the answer.
    package var rows: [Row] { (0..<PQntuples(result)).map { Row(table: self, place: $0) } }

    /// How many rows the command inserted, changed or removed.
    package var affected: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    fileprivate func isNull(_ column: Int, _ row: Int32) -> Bool {
        PQgetisnull(result, row, CInt(column)) != 0
    }

    fileprivate func bytes<Value>(_ column: Int, _ row: Int32, _ body: (UnsafeRawBufferPointer) -> Value)
        -> Value
    {
        let count = Int(PQgetlength(result, row, CInt(column)))
        return body(UnsafeRawBufferPointer(start: PQgetvalue(result, row, CInt(column)), count: count))
    }
}

/// One row of an answer in binary format; columns are counted from 0.
///
/// A getter for another type than the column's is a mistake of the program, and traps.
///
/// `Link` makes a ``Table`` of each answer; the tables of `YonderPostgreSQL` read its rows by the place of a column in
/// their statement. NULL is 0, empty or `false` unless the optional getter is used. The formats are PostgreSQL's binary
/// ones and must stay (`LinkValueTests`); a further type is a getter here and a case of ``Parameter``.
package struct Row: Sendable {
    fileprivate let table: Table
    fileprivate let place: Int32

    /// Whether a column is NULL.
    package func isNull(_ column: Int) -> Bool { table.isNull(column, place) }

    /// A `bigint`, `integer` or `smallint`; 0 for NULL.
    package func int(_ column: Int) -> Int64 {
        table.bytes(column, place) { Int64(signed: $0) }
    }

    /// A `bigint`, `integer` or `smallint`, or NULL.
    package func optionalInt(_ column: Int) -> Int64? { isNull(column) ? nil : int(column) }

    /// A `boolean`; `false` for NULL.
    package func bool(_ column: Int) -> Bool { table.bytes(column, place) { $0.first == 1 } }

    /// A `double precision`; 0 for NULL.
    package func double(_ column: Int) -> Double {
        Double(bitPattern: UInt64(bitPattern: int(column)))
    }

    /// A `double precision`, or NULL.
    package func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }

    /// A `text`, or a `bytea` with UTF-8; empty for NULL.
    package func text(_ column: Int) -> String {
        table.bytes(column, place) { String(decoding: $0, as: UTF8.self) }
    }

    /// A `text`, or a `bytea` with UTF-8, or NULL.
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    /// A `bytea`; empty for NULL.
    package func bytes(_ column: Int) -> [UInt8] { table.bytes(column, place) { Array($0) } }

    /// A `bytea`, or NULL.
    package func optionalBytes(_ column: Int) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    /// A `bigint[]` without nulls; empty for NULL.
    package func ints(_ column: Int) -> [Int64] {
        table.bytes(column, place) { bytes in
            guard bytes.count > 20 else { return [] }
            return stride(from: 20, to: bytes.count, by: 12).map { start in
                Int64(signed: UnsafeRawBufferPointer(rebasing: bytes[(start + 4)..<(start + 12)]))
            }
        }
    }
}

extension Int64 {
    /// A signed number of 0, 2, 4 or 8 bytes, the highest first.
    fileprivate init(signed bytes: UnsafeRawBufferPointer) {
        precondition([0, 2, 4, 8].contains(bytes.count), "The column isn't an integer.")
        let highest: UInt64 = bytes.first.map { $0 >= 0x80 ? .max : 0 } ?? 0
        self.init(bitPattern: bytes.reduce(highest) { $0 << 8 | UInt64($1) })
    }
}
#endif
