import YonderModel

/// Reads a file of objects: bytes in any pieces go in, rows come out.
///
/// Once it throws, nothing more can be read.
protocol ObjectRows: Sendable {
    /// The columns that were seen, in their order, and where each goes; at most ``ColumnPlan/columnLimit``.
    var columns: [ImportColumn] { get }

    /// Reads the next bytes, and gives the rows that they complete.
    ///
    /// - Throws: `invalidFile`, `tooLarge`, `tooMany`, `unknownField`, `invalidField`.
    mutating func read(_ bytes: [UInt8]) throws(SharingError) -> [FileRow]

    /// Ends the file, and gives what comes of it. Where it `isPartial`, a last row that isn't whole is passed over.
    ///
    /// - Throws: What ``read(_:)`` throws.
    mutating func finish(isPartial: Bool) throws(SharingError) -> [FileRow]
}

/// A column of a file, and where it goes.
struct ImportColumn: Hashable, Sendable {
    let name: String

    /// `nil` if it is ignored.
    let target: ColumnTarget?
}
