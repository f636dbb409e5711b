/// Why a row of a CSV file can't be read.
///
/// After all but those about the header, the rows that follow can.
public struct CSVFailure: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// A quoted value doesn't end; reading goes on in the next line.
        case unclosedQuote

        /// Something follows the quote that ends a value; reading goes on in the next line.
        case textAfterQuote

        /// The row isn't UTF-8, or there is a zero byte in it.
        case notUTF8

        /// The row is as long as the limit, or longer.
        case tooLong

        /// The row has more columns than the limit.
        case tooManyColumns

        /// The row has more or fewer values than the header has columns.
        case wrongColumnCount(Int)

        /// The header has a name twice. No row is read.
        case duplicateColumn(String)

        /// There is no header. No row is read.
        case noHeader

        /// A latitude or longitude isn't a number, is out of range, or one of them is missing.
        case invalidCoordinate
    }

    /// What is wrong.
    public let reason: Reason

    /// Where, in bytes from the beginning of the file.
    public let offset: Int

    /// Creates a failure at an offset in bytes.
    public init(_ reason: Reason, at offset: Int) {
        (self.reason, self.offset) = (reason, offset)
    }
}
