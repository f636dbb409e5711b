/// The reason why a row of a CSV file can't be read.
///
/// Except after a failure of the header, the following rows can be read.
///
/// `CSVReader` delivers it in place of a row, and `CSVPlaceColumns` throws it for a coordinate; the server's import writes it
/// into its report with the line, in the words of `CSVRows`. A further reason may be added with its words there (`CSVTests`).
public struct CSVFailure: Error, Hashable, Sendable {
    /// The kinds of failure.
    public enum Reason: Hashable, Sendable {
        /// A quoted value doesn't end; reading continues in the next line.
        case unclosedQuote

        /// A quoted value is followed by text; reading continues in the next line.
        case textAfterQuote

        /// The row isn't UTF-8, or there is a zero byte in it.
        case notUTF8

        /// The row is as long as the limit, or longer.
        case tooLong

        /// The row has more columns than the limit.
        case tooManyColumns

        /// The row has more or fewer values than the header has columns.
        case wrongColumnCount(Int)

        /// The header has a duplicate name. No row is read.
        case duplicateColumn(String)

        /// There is no header. No row is read.
        case noHeader

        /// A latitude or longitude isn't a number, is out of range, or one of them is missing.
        case invalidCoordinate
    }

    /// The kind of failure.
    public let reason: Reason

    /// The offset in bytes from the beginning of the file.
    public let offset: Int

    /// Creates a failure at an offset in bytes.
    public init(_ reason: Reason, at offset: Int) {
        (self.reason, self.offset) = (reason, offset)
    }
}
