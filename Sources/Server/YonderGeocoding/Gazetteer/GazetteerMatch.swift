import YonderGeodesy

/// The index queries of a search, from the best kind of match to the weakest.
///
/// Scripts/build-gazetteer documents the index: `·new·york` for a whole name, `new` and `york` for its words.
/// Words are normalized, so they contain no quotes; each is quoted, so `or` and `near` are ordinary words.
///
/// `GazetteerSearch` makes one of a search's text and runs its expressions until there are enough places. Nothing fails:
/// a text without a letter or digit gives `nil`. The expressions must be those that the index of
/// `Scripts/build-gazetteer` was made for; the two limits may be changed (`GazetteerSearchTests`).
struct GazetteerMatch {
    /// The most words that are used, and the most scalars of each.
    static let wordLimit = 8
    static let scalarLimit = 40

    private let words: [String]

    /// Normalizes a text.
    ///
    /// - Returns: `nil` if the text contains no letter or digit.
    init?(_ text: String) {
        words = Folding.words(text).prefix(Self.wordLimit).map { word in
            String(String.UnicodeScalarView(word.unicodeScalars.prefix(Self.scalarLimit)))
        }
        if words.isEmpty { return nil }
    }

    /// Expressions for `MATCH`, from the best to the weakest.
    ///
    /// First a name, also an alternate one, that equals the text; then a name that is its beginning, with the
    /// rest matching division or country; then a name that begins with the text; then again with the last
    /// word incomplete; and finally all words anywhere.
    var tiers: [String] {
        let whole = Self.quoted(words[...])
        guard words.count > 1 else { return [whole, whole + "*", Self.anywhere(words[0], isPrefix: true)] }
        let contained = words.indices.map { Self.anywhere(words[$0], isPrefix: $0 == words.count - 1) }
        return [
            whole, named(isPrefix: false), whole + "*", named(isPrefix: true),
            contained.joined(separator: " AND "),
        ]
    }

    /// Whether the displayed name of a place begins with the text.
    func begins(_ place: GazetteerPlace) -> Bool {
        let name = Folding.words(place.name)
        return name.count >= words.count && zip(name, words.dropLast()).allSatisfy(==)
            && name[words.count - 1].hasPrefix(words[words.count - 1])
    }

    /// An expression that also requires the place to be within two to four degrees of a coordinate.
    static func near(_ coordinate: Coordinate, _ expression: String) -> String {
        "(\(expression)) AND (\(squares(around: coordinate).joined(separator: " OR ")))"
    }

    /// Whole names of each length, with the remaining words anywhere.
    private func named(isPrefix: Bool) -> String {
        let last = words.count - 1
        let splits = (1...last).map { length in
            let context = (length...last).map {
                Self.anywhere(words[$0], isPrefix: isPrefix && $0 == last)
            }
            return "(\(([Self.quoted(words[..<length])] + context).joined(separator: " AND ")))"
        }
        return splits.joined(separator: " OR ")
    }

    private static func quoted(_ name: ArraySlice<String>) -> String {
        "\"\(name.map { "·" + $0 }.joined())\""
    }

    private static func anywhere(_ word: String, isPrefix: Bool) -> String {
        let star = isPrefix ? "*" : ""
        return "(\"\(word)\"\(star) OR \"·\(word)\"\(star))"
    }

    /// The square of two degrees that contains a coordinate, and those around it.
    private static func squares(around coordinate: Coordinate) -> [String] {
        let row = min(Int((coordinate.latitude + 90) / 2), 89)
        let column = Int((coordinate.longitude + 180) / 2) % 180
        return (row - 1...row + 1).filter((0..<90).contains).flatMap { row in
            (-1...1).map { "\"°\(row)·\((column + $0 + 180) % 180)\"" }
        }
    }
}
