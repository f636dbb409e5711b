/// Why an archive or something in it can't be read.
///
/// Reading an archive throws it; `MapLoader` makes a sentence of it at the start, `TileEndpoints` an `internalError`
/// with a line in the log. Offsets count the bytes from the archive's beginning, so that an operator finds the
/// damaged place (`PMTilesArchiveTests`).
package enum PMTilesError: Error, Hashable, Sendable {
    /// The file doesn't begin with the header of a PMTiles archive.
    case notAnArchive

    /// A version other than 3.
    case unsupportedVersion(UInt8)

    /// Directories or tiles compressed in a way other than not at all or with gzip, by the specification's number.
    case unsupportedCompression(UInt8)

    /// A part lies outside the archive, or outside the section that it belongs to.
    case outOfBounds(offset: UInt64, length: UInt64)

    /// A part is longer than any that is accepted.
    case tooLong(length: UInt64)

    /// A directory isn't one, at this byte of its inflated form.
    case badDirectory(offset: Int)

    /// Directories that lead to directories, without end.
    case tooDeep

    /// Compressed bytes that don't inflate.
    case badCompression

    /// The file can't be opened or read: the system's error number.
    case unreadable(Int32)
}
