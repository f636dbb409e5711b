public import YonderGeodesy

/// A search for the places that a text may mean.
///
/// `GeocodingEndpoints` makes one of a request's parameters, an app makes one for `RESTClient.places(_:)`; the gazetteer and
/// Nominatim answer it. A query that exists is valid; the refusals name the parameter. The limits stand in
/// `Documentation/rest.md` and `openapi.yaml` and may be changed with them. That a partial query isn't sent to another server
/// must stay, as public Nominatim servers forbid it (`GeocodingQueryTests`, `NominatimGeocoderTests`).
public struct GeocodingQuery: Hashable, Sendable {
    /// The most characters of a text, counted as Unicode scalars.
    public static let textLimit = 400

    /// The accepted limits.
    public static let limits = 1...20

    /// The limit if a caller gives none.
    public static let defaultLimit = 5

    /// A name, or an address in any order, without leading and trailing white space.
    public let text: String

    /// The caller's position, or `nil`: of equally good candidates, nearer ones come first.
    public let bias: Coordinate?

    /// The preferred language of names, or `nil` for any.
    public let language: LanguageTag?

    /// Whether the text is still being typed: then no other server is queried at each letter.
    public let isPartial: Bool

    /// The most candidates to return, in ``limits``.
    public let limit: Int

    /// Creates a query, checking text and limit.
    ///
    /// - Throws: `missingField` if the text is empty or only white space; `invalidField` if the text has more
    ///   than ``textLimit`` characters, or the limit lies outside ``limits``.
    public init(
        _ text: String,
        near bias: Coordinate? = nil,
        language: LanguageTag? = nil,
        isPartial: Bool = false,
        limit: Int = defaultLimit
    ) throws(SharingError) {
        let scalars = text.unicodeScalars
        guard scalars.count <= Self.textLimit else {
            throw SharingError(.invalidField, "q must have at most \(Self.textLimit) characters.")
        }
        let trimmed = scalars.drop(while: \.properties.isWhitespace)
        guard let last = trimmed.lastIndex(where: { !$0.properties.isWhitespace }) else {
            throw SharingError(.missingField, "q must have text to search; it is empty.")
        }
        guard Self.limits.contains(limit) else { throw Self.invalidLimit }
        self.text = String(Substring(trimmed[...last]))
        self.bias = bias
        self.language = language
        self.isPartial = isPartial
        self.limit = limit
    }

    static var invalidLimit: SharingError {
        SharingError(.invalidField, "limit must be in \(limits.lowerBound)…\(limits.upperBound).")
    }
}

/// A search for the places at a coordinate.
public struct ReverseGeocodingQuery: Hashable, Sendable {
    /// The coordinate.
    public let coordinate: Coordinate

    /// The preferred language of names, or `nil` for any.
    public let language: LanguageTag?

    /// The most candidates to return, in ``GeocodingQuery/limits``.
    public let limit: Int

    /// Creates a query, checking the limit.
    ///
    /// - Throws: `invalidField` if the limit lies outside ``GeocodingQuery/limits``.
    public init(
        _ coordinate: Coordinate,
        language: LanguageTag? = nil,
        limit: Int = 1
    ) throws(SharingError) {
        guard GeocodingQuery.limits.contains(limit) else { throw GeocodingQuery.invalidLimit }
        self.coordinate = coordinate
        self.language = language
        self.limit = limit
    }
}

/// A language tag, such as `de` or `pt-BR` (RFC 5646).
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
    /// The tag as given.
    public let description: String

    /// Creates a tag of letters and digits in groups of one to eight, separated by hyphens, 35 characters at
    /// most.
    ///
    /// - Returns: `nil` if the text doesn't have this form; whether the language exists isn't checked.
    public init?(_ text: String) {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isTag = groups.allSatisfy { group in
            (1...8).contains(group.count) && group.allSatisfy(Self.isLetterOrDigit)
        }
        guard text.utf8.count <= 35, isTag else { return nil }
        description = text
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
