/// The values of a row, as texts.
///
/// `CSVReader` delivers it, `CSVRows` of the server's import reads values by column; `RowDraft` asks ``isQuoted(_:)`` to tell
/// an empty text from none. An index that isn't below ``count`` traps. It has a copy of the row's bytes, so it may outlive
/// the reader's (`CSVTests`).
public struct CSVRow: Hashable, Sendable {
    /// The position of a value in the row.
    struct Field: Hashable, Sendable {
        let start: Int32
        let end: Int32

        /// Whether the value contains a doubled quote, which stands for one.
        let hasEscapes: Bool

        /// Whether the value is in quotes.
        let isQuoted: Bool
    }

    /// The row as it was written, without its line end.
    var bytes: [UInt8] = []
    var fields: [Field] = []

    /// How many values there are.
    public var count: Int { fields.count }

    /// A value's text, without the quotes around it.
    ///
    /// The index must be below ``count``.
    public subscript(index: Int) -> String {
        withBytes(of: index) { UTF8Text.string($0) }
    }

    /// Whether a value is in quotes: some programs write an empty text as `""`, and a missing value without
    /// quotes.
    ///
    /// The index must be below ``count``.
    public func isQuoted(_ index: Int) -> Bool { fields[index].isQuoted }

    /// All values.
    public var values: [String] { (0..<count).map { self[$0] } }

    /// Calls `body` with the UTF-8 of a value.
    package func withBytes<Result>(of index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let field = fields[index]
        let range = Int(field.start)..<Int(field.end)
        guard field.hasEscapes else { return body(bytes.span.extracting(range)) }
        var text: [UInt8] = []
        var position = range.lowerBound
        while position < range.upperBound {
            text.append(bytes[position])
            position += bytes[position] == UInt8(ascii: "\"") ? 2 : 1
        }
        return body(text.span)
    }
}
