import YonderJSON

/// The reason why a feature of a GeoJSON file, or text around the features, can't be read while the other
/// features can.
///
/// `GeoJSONReader` delivers it in place of a feature; the server's import writes it into its report with the line, in words
/// that are in `GeoJSONRows`. A further reason may be added, with its words there. Which reason a broken text gets is tried
/// by `GeoJSONTests`; a text that the file's end cuts off must be `truncated`.
public struct GeoJSONFailure: Error, Hashable, Sendable {
    /// The kinds of failure.
    public enum Reason: Hashable, Sendable {
        /// The text breaks JSON's grammar.
        case notJSON

        /// A text isn't UTF-8.
        case notUTF8

        /// A text has an escape of an unpaired surrogate, as in `"\ud800"`, which stands for no character.
        case halfPair

        /// The file ends before the value does.
        case truncated

        /// The feature is as long as the limit, or longer.
        case tooLong

        /// Arrays and objects are nested more than 34 deep, counting the feature itself and its properties.
        case tooDeep

        /// An object has a duplicate key.
        case duplicateKey

        /// The outermost value isn't GeoJSON.
        case notGeoJSON

        /// An element of the collection isn't a feature.
        case notFeature

        /// The geometry is of an unsupported kind, such as `Polygon`.
        case unsupportedGeometry(String)

        /// The geometry isn't an object with a `type` and `coordinates` that fit each other.
        case invalidGeometry

        /// A latitude lies outside −90…90, a longitude outside −180…180, or an altitude isn't a finite
        /// number.
        case invalidCoordinate

        /// The properties aren't an object or `null`.
        case invalidProperties

        /// The id is neither a text nor a number.
        case invalidIdentifier
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

extension GeoJSONFailure {
    /// Creates the failure of a text whose grammar is broken.
    init(_ fault: JSONFault, in text: UnsafeRawBufferPointer) {
        switch fault.reason {
        case .truncated: self.init(.truncated, at: fault.offset)
        case .unexpected, .invalidString, .halfPair:
            // The scanner reports the beginning of a word, a number or an escape that the end cuts off.
            let isCut = text[fault.offset...].allSatisfy(Self.continuesToken)
            let reason = fault.reason == .halfPair ? Reason.halfPair : .notJSON
            self.init(isCut ? .truncated : reason, at: isCut ? text.count : fault.offset)
        case .tooDeep: self.init(.tooDeep, at: fault.offset)
        case .duplicateKey: self.init(.duplicateKey, at: fault.offset)
        case .invalidUTF8: self.init(.notUTF8, at: fault.offset)
        case .trailing, .invalidNumber: self.init(.notJSON, at: fault.offset)
        }
    }

    /// Whether a byte may occur in a word, a number or an escape.
    private static func continuesToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "\\"):
            true
        default: false
        }
    }
}
