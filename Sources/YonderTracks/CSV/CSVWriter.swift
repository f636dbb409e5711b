/// Writes a CSV file as RFC 4180 has it: a header, then rows, lines that end in CRLF.
///
/// What is written, ``CSVReader`` reads back, but for zero bytes, which become U+FFFD unless they are kept. Values go out as they are: who
/// opens the file in a spreadsheet should know that it takes a value that begins with `=` for a formula.
public struct CSVWriter: Sendable {
    private let separator: CSVSeparator
    private let columnCount: Int
    private let keepsZero: Bool
    private var bytes: [UInt8] = []

    /// Creates a writer, and writes the header.
    ///
    /// There must be a column. With a `mark` the file begins with a byte order mark; some spreadsheets need it to see
    /// UTF-8. Where it `keepsZero`, only a reader that allows zero bytes reads them.
    public init(
        columns: [String],
        separator: CSVSeparator = .comma,
        mark: Bool = false,
        keepsZero: Bool = false
    ) {
        precondition(!columns.isEmpty, "A CSV file has at least one column.")
        (self.separator, columnCount, self.keepsZero) = (separator, columns.count, keepsZero)
        if mark { bytes = [0xEF, 0xBB, 0xBF] }
        write(columns)
    }

    /// Writes a row.
    ///
    /// There must be as many values as columns.
    public mutating func write(_ values: [String]) {
        precondition(values.count == columnCount, "A row has a value for each column.")
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(separator.rawValue) }
            write(value)
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    /// Writes a row in which an empty text stands in quotes, and `nil` is nothing at all; see ``CSVRow/isQuoted(_:)``.
    ///
    /// There must be as many values as columns.
    public mutating func write(optional values: [String?]) {
        precondition(values.count == columnCount, "A row has a value for each column.")
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(separator.rawValue) }
            switch value {
            case nil: break
            case "": bytes.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: "\"")])
            case let value?: write(value)
            }
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    /// Takes out what was written since the last time, so that no more than that is kept.
    public mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    private mutating func write(_ value: String) {
        guard needsQuotes(value) else {
            append(value)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        append(value)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ value: String) {
        for byte in value.utf8 {
            switch byte {
            case 0 where !keepsZero: bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
            case UInt8(ascii: "\""): bytes.append(contentsOf: [byte, byte])
            default: bytes.append(byte)
            }
        }
    }

    /// Any separator is quoted, so that the right one is found out; so is what a reader would take for something else
    /// at the beginning of a file, and white space that some readers cut off.
    private func needsQuotes(_ value: String) -> Bool {
        guard let first = value.utf8.first, let last = value.utf8.last else { return columnCount == 1 }
        if first == 0x20 || last == 0x20 || first == 0xEF || value.utf8.starts(with: "sep=".utf8) {
            return true
        }
        return value.utf8.contains { byte in
            byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D || CSVSeparator(rawValue: byte) != nil
        }
    }
}
