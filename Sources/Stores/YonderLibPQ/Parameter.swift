#if Postgres
/// The value of a statement's parameter, sent in PostgreSQL's binary format.
///
/// The server takes the type from the statement, so the statement must have the type of the case.
///
/// Every statement of the PostgreSQL store gives its values so; `Link` and `Unit` code them once for a call. Nothing
/// throws here: a text with a zero byte, or a case of another type than the statement's, is an error of the server when
/// it runs. The formats are PostgreSQL's and must stay (`LinkValueTests`); a further type is a case here and a branch of
/// `code`.
package enum Parameter: Sendable {
    /// NULL of any type.
    case null
    /// A `boolean`.
    case bool(Bool)
    /// A `bigint`.
    case int(Int64)
    /// A `double precision`.
    case double(Double)
    /// A `text`, which can't have a zero byte: the server refuses one.
    case text(String)
    /// A `bytea`.
    case bytes([UInt8])
    /// A `bytea` with the UTF-8 of a text that may have zero bytes.
    case utf8(String)
    /// A `bigint[]`.
    case ints([Int64])
    /// A `bigint[]` with nulls.
    case optionalInts([Int64?])
    /// An `integer[]`.
    case shorts([Int32])
    /// A `bytea[]`.
    case byteArrays([[UInt8]?])
    /// A `bytea[]` with the UTF-8 of texts that may have zero bytes.
    case utf8s([String])
    /// A `double precision[]` with nulls.
    case optionalDoubles([Double?])
    /// A `text[]`, whose elements can't have a zero byte.
    case texts([String?])

    /// A `bigint`, or NULL.
    package static func optional(_ value: Int64?) -> Parameter { value.map(Parameter.int) ?? .null }

    /// A `double precision`, or NULL.
    package static func optional(_ value: Double?) -> Parameter { value.map(Parameter.double) ?? .null }

    /// A `text`, or NULL.
    package static func optional(_ value: String?) -> Parameter { value.map(Parameter.text) ?? .null }

    /// A `bytea`, or NULL.
    package static func optional(_ value: [UInt8]?) -> Parameter { value.map(Parameter.bytes) ?? .null }
}

/// The coded parameters of one call, one after the other.
package struct ParameterBuffer: Sendable {
    /// The bytes of all of them.
    private(set) var bytes: [UInt8] = []

    /// Where each begins and ends; `nil` for NULL.
    private(set) var ranges: [Range<Int>?] = []

    /// Codes parameters.
    package init(_ parameters: [Parameter]) {
        ranges.reserveCapacity(parameters.count)
        for parameter in parameters { append(parameter) }
    }

    private mutating func append(_ parameter: Parameter) {
        let start = bytes.count
        if case .null = parameter { return ranges.append(nil) }
        code(parameter)
        ranges.append(start..<bytes.count)
    }

    private mutating func code(_ parameter: Parameter) {
        switch parameter {
        case .null: break
        case .bool(let value): bytes.append(value ? 1 : 0)
        case .int(let value): integer(value)
        case .double(let value): integer(value.bitPattern)
        case .text(let text), .utf8(let text): bytes += text.utf8
        case .bytes(let value): bytes += value
        case .ints(let values): integers(values, of: 20)
        case .optionalInts(let values): array(values, of: 20) { $0.integer($1) }
        case .shorts(let values): integers(values, of: 23)
        case .byteArrays(let values): array(values, of: 17) { $0.bytes += $1 }
        case .utf8s(let values): texts(values, of: 17)
        case .optionalDoubles(let values): array(values, of: 701) { $0.integer($1.bitPattern) }
        case .texts(let values): array(values, of: 25) { $0.bytes += $1.utf8 }
        }
    }

    private mutating func integer(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }

    /// An array of one dimension: `array_recv` in PostgreSQL's `src/backend/utils/adt/arrayfuncs.c` reads it.
    ///
    /// ```
    ///   dimensions  may have nulls  element type  length  first index  (length, or -1 for null; bytes) for each element
    ///   4           4               4             4       4
    /// ```
    private mutating func array<Element>(
        _ elements: [Element?],
        of type: Int32,
        _ code: (inout ParameterBuffer, Element) -> Void
    ) {
        header(elements.count, of: type)
        for element in elements {
            let start = bytes.count
            integer(Int32(-1))
            guard let element else { continue }
            code(&self, element)
            patch(Int32(bytes.count - start - 4), at: start)
        }
    }

    private mutating func header(_ count: Int, of type: Int32) {
        integer(Int32(count == 0 ? 0 : 1))
        integer(Int32(1))
        integer(type)
        guard count > 0 else { return }
        integer(Int32(count))
        integer(Int32(1))
    }

    /// An array without nulls, whose elements are equally long.
    private mutating func integers<Value: FixedWidthInteger>(_ values: [Value], of type: Int32) {
        header(values.count, of: type)
        for value in values {
            integer(Int32(Value.bitWidth / 8))
            integer(value)
        }
    }

    private mutating func texts(_ values: [String], of type: Int32) {
        header(values.count, of: type)
        for value in values {
            integer(Int32(value.utf8.count))
            bytes += value.utf8
        }
    }

    private mutating func patch(_ length: Int32, at start: Int) {
        withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }
}
#endif
