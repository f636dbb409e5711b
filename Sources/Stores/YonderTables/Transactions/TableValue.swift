/// The value of a statement's parameter, in both databases: SQLite's binding is in `YonderStorage/Tables`, PostgreSQL's in
/// `BlockingTransaction.swift`.
///
/// A further case needs both. A text with a zero byte is refused by PostgreSQL: store such text as bytes.
package enum TableValue: Hashable, Sendable {
    /// NULL of any type.
    case null
    /// A truth value.
    case bool(Bool)
    /// A number or a time.
    case int(Int64)
    /// A number with a fraction.
    case double(Double)
    /// A text without zero bytes.
    case text(String)
    /// Bytes.
    case bytes([UInt8])
    /// Numbers, for `= ANY($1)`.
    case ints([Int64])
    /// Texts without zero bytes, for `= ANY($1)`.
    case texts([String])

    /// A number, or NULL.
    package static func optional(_ value: Int64?) -> TableValue { value.map(TableValue.int) ?? .null }

    /// A number, or NULL.
    package static func optional(_ value: Int?) -> TableValue { .optional(value.map { Int64($0) }) }

    /// A number with a fraction, or NULL.
    package static func optional(_ value: Double?) -> TableValue { value.map(TableValue.double) ?? .null }

    /// A text, or NULL.
    package static func optional(_ value: String?) -> TableValue { value.map(TableValue.text) ?? .null }

    /// Bytes, or NULL.
    package static func optional(_ value: [UInt8]?) -> TableValue { value.map(TableValue.bytes) ?? .null }
}
