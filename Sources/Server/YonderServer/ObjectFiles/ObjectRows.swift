import YonderModel

/// Reads a file of objects: bytes in pieces of any size go in, rows come out.
///
/// After an error, the reader can't be used any more.
protocol ObjectRows: Sendable {
    /// The columns found so far, in order, each with its target; at most ``ColumnPlan/columnLimit``.
    var columns: [ImportColumn] { get }

    /// Reads the next bytes, and returns the rows that they complete.
    ///
    /// - Throws: `invalidFile`, `tooLarge`, `tooMany`, `unknownField`, `invalidField`.
    mutating func read(_ bytes: [UInt8]) throws(SharingError) -> [FileRow]

    /// Ends the file, and returns the remaining rows. If `isPartial`, an incomplete last row is skipped.
    ///
    /// - Throws: The errors of ``read(_:)``.
    mutating func finish(isPartial: Bool) throws(SharingError) -> [FileRow]
}

/// A column of a file, with its target.
struct ImportColumn: Hashable, Sendable {
    let name: String

    /// The target; `nil` if the column is ignored.
    let target: ColumnTarget?
}
