/// Why a feature of a GeoJSON file, or something around the features, can't be read; the others can.
public struct GeoJSONFailure: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The text breaks JSON's grammar.
        case notJSON

        /// A text isn't UTF-8.
        case notUTF8

        /// A text has an escape of half a surrogate pair, as in `"\ud800"`, which stands for no character.
        case halfPair

        /// The file ends before the value does.
        case truncated

        /// The feature is as long as the limit, or longer.
        case tooLong

        /// Arrays and objects are nested more than 34 deep; the feature itself and its properties are counted.
        case tooDeep

        /// An object has a key twice.
        case duplicateKey

        /// The outermost value isn't GeoJSON.
        case notGeoJSON

        /// Among the features there is something else.
        case notFeature

        /// The geometry is of a kind that isn't read, such as `Polygon`.
        case unsupportedGeometry(String)

        /// The geometry isn't an object with a `type` and `coordinates` that fit each other.
        case invalidGeometry

        /// A latitude lies outside −90…90, a longitude outside −180…180, or an altitude is too great for a number.
        case invalidCoordinate

        /// The properties aren't an object or `null`.
        case invalidProperties

        /// The id is neither a text nor a number.
        case invalidIdentifier
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
