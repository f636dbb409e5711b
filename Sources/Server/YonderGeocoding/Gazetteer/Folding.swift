/// Normalizes text for searching: lower case, no diacritics, only letters and digits.
///
/// Scripts/build-gazetteer normalizes in the same way; `Tests/Fixtures/gazetteer/folding.tsv` tests both.
///
/// `GazetteerMatch` folds each search. Nothing fails. A change of the result needs a new gazetteer, because its words
/// were folded when it was built: change the script in the same way, and the vectors (`FoldingTests`).
enum Folding {
    /// The normalized words of a text, none of them empty.
    ///
    /// Every character that isn't a letter, a digit or a mark separates words, so no word contains a
    /// character with a meaning in queries.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.flatMap(decomposed) where !isIgnored(scalar) {
            if isKept(scalar) {
                append(scalar, to: &word)
            } else if !word.isEmpty {
                words.append(String(word))
                word.removeAll()
            }
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

    /// The characters that a character is made of, in lower case.
    private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if let syllable = HangulSyllable(scalar) { return syllable.letters }
        return scalar.properties.lowercaseMapping.unicodeScalars.flatMap { lower in
            decompositions[lower].map { Array($0) } ?? [lower]
        }
    }

    /// The table's results by their characters: 5 000, read at the first search.
    private static let decompositions: [Unicode.Scalar: Substring.UnicodeScalarView] = {
        var found: [Unicode.Scalar: Substring.UnicodeScalarView] = [:]
        for group in table.unicodeScalars.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            guard let end = group.firstIndex(of: "=") else { continue }
            for scalar in group[group.index(after: end)...] { found[scalar] = group[..<end] }
        }
        return found
    }()

    /// Whether a character is a diacritic or only affects formatting.
    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.canonicalCombiningClass != .notReordered
            || scalar.properties.generalCategory == .format
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        // Characters that look like apostrophes.
        if (0x02B0...0x02FF).contains(scalar.value) { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
            true
        default: false
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to word: inout String.UnicodeScalarView) {
        if let apart = apart[scalar] {
            word.append(contentsOf: apart.unicodeScalars)
        } else {
            word.append(scalar)
        }
    }

    /// Letters without a Unicode decomposition, and the final sigma.
    private static let apart: [Unicode.Scalar: String] = [
        "ø": "o", "đ": "d", "ł": "l", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i",
        "ħ": "h",
        "ŧ": "t", "ŋ": "ng", "ə": "e", "ς": "σ",
    ]
}

/// A syllable of Korean, which is made of two or three letters (Unicode Standard, section 3.12).
private struct HangulSyllable {
    /// The letters.
    let letters: [Unicode.Scalar]

    /// - Returns: `nil` for another character.
    init?(_ scalar: Unicode.Scalar) {
        guard (0xAC00..<0xAC00 + 11_172).contains(scalar.value) else { return nil }
        let index = scalar.value - 0xAC00
        let last = index % 28
        let numbers = [0x1100 + index / 588, 0x1161 + index % 588 / 28] + (last == 0 ? [] : [0x11A7 + last])
        letters = numbers.compactMap(Unicode.Scalar.init)
    }
}
