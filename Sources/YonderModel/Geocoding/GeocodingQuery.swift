public import YonderGeodesy

/// A search for the places that a text may mean.
public struct GeocodingQuery: Hashable, Sendable {
    /// The most characters that a text may have, counted as Unicode scalars.
    public static let textLimit = 400

    /// How many candidates there may be.
    public static let limits = 1...20

    /// How many candidates an answer has if nobody says otherwise.
    public static let defaultLimit = 5

    /// A name, or an address in any order, without white space around it.
    public let text: String

    /// Where one is: what is near there comes before what is as good but far.
    public let bias: Coordinate?

    /// The language that names are wanted in, or `nil` for whichever there is.
    public let language: LanguageTag?

    /// Whether the text is still being typed: then nobody outside is asked, a letter at a time.
    public let isPartial: Bool

    /// How many candidates there may be, in ``limits``.
    public let limit: Int

    /// Checks the text and the limit.
    ///
    /// - Throws: `missingField` if there is nothing but white space; `invalidField` if the text has more than
    ///   ``textLimit`` characters, or the limit lies outside ``limits``.
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
            throw SharingError(.missingField, "q has no text to search.")
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

/// A search for what is at a coordinate.
public struct ReverseGeocodingQuery: Hashable, Sendable {
    /// Where.
    public let coordinate: Coordinate

    /// The language that names are wanted in, or `nil` for whichever there is.
    public let language: LanguageTag?

    /// How many candidates there may be, in ``GeocodingQuery/limits``.
    public let limit: Int

    /// Checks the limit.
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

/// The tag of a language, as `de` or `pt-BR` (RFC 5646).
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
    /// The tag as it was given.
    public let description: String

    /// Takes a tag of letters and digits in groups of one to eight, with hyphens between, 35 characters at most.
    ///
    /// - Returns: `nil` if it can't be one; whether there is such a language isn't looked up.
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
