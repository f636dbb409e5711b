/// The reason why a file can't be read as a track; none of it is used.
///
/// `GPXReader` and the types of XML throw it; `TrackSource` makes a `LocationError` of it. A further reason may be added
/// (`GPXReaderTests`).
public struct TrackFileFailure: Error, Hashable, Sendable {
    /// The kinds of failure.
    public enum Reason: Hashable, Sendable {
        /// The text breaks XML's grammar.
        case notWellFormed

        /// The text isn't UTF-8, or declares another encoding.
        case notUTF8

        /// The file has a document type declaration, which is refused because it could make the text grow
        /// without bound.
        case documentType

        /// Elements are nested more than 64 deep, or one has more than 64 attributes.
        case tooComplex

        /// The outermost element isn't `gpx`.
        case notGPX

        /// A point lacks its latitude or longitude, or isn't on Earth.
        case invalidCoordinate
    }

    /// The kind of failure.
    public let reason: Reason

    /// The offset in bytes from the beginning of the file.
    public let offset: Int

    /// Creates a failure at an offset in bytes.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
