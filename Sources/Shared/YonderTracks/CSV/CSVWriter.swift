/// Writes a CSV file in RFC 4180's form: a header, then rows, with lines that end in CRLF.
///
/// ``CSVReader`` reads the file back unchanged, except for zero bytes, which become U+FFFD unless they are
/// kept. Values are written unchanged: beware that a spreadsheet evaluates a value that begins with `=` as a
/// formula.
///
/// `ObjectFileWriter` writes an export with it, row by row, and takes the bytes after each piece. A wrong number of values is
/// the caller's mistake and traps; nothing else fails. That `CSVReader` gives the same rows, and guesses the separator, must
/// stay (`CSVTests`); more values may be quoted than are.
public struct CSVWriter: Sendable {
    private let separator: CSVSeparator
    private let columnCount: Int
    private let keepsZero: Bool
    private var bytes: [UInt8] = []

    /// Creates a writer, and writes the header.
    ///
    /// There must be at least one column. With `mark` the file begins with a byte order mark, which some
    /// spreadsheets need to recognize UTF-8. With `keepsZero`, zero bytes are written, and only a reader that
    /// allows them can read the file.
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

    /// Writes a row in which an empty text is written as `""`, and `nil` without quotes; see
    /// ``CSVRow/isQuoted(_:)``.
    ///
    /// The number of values must equal that of columns.
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

    /// Returns the bytes written since the last call, and releases them.
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

    /// Whether a value must be quoted.
    ///
    /// That is the case for any possible separator, so that a reader guesses the right one; for bytes that
    /// have a meaning at the beginning of a file; and for outer white space, which some readers remove.
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
