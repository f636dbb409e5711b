/// Why a file isn't a track that can be read; nothing of it is used.
public struct TrackFileFailure: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The text breaks XML's grammar.
        case notWellFormed

        /// The text isn't UTF-8, or says that it isn't.
        case notUTF8

        /// There is a document type declaration, which is refused: it could make the text grow without bound.
        case documentType

        /// Elements are nested more than 64 deep, or one has more than 64 attributes.
        case tooComplex

        /// The outermost element isn't `gpx`.
        case notGPX

        /// A point lacks its latitude or longitude, or isn't on Earth.
        case invalidCoordinate
    }

    /// What is wrong.
    public let reason: Reason

    /// Where, in bytes from the beginning.
    public let offset: Int

    /// Creates a failure at an offset in bytes.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
