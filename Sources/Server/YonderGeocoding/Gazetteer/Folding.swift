import Foundation

/// Normalizes text for searching: lower case, no diacritics, only letters and digits.
///
/// Scripts/build-gazetteer normalizes in the same way; `Tests/Fixtures/gazetteer/folding.tsv` tests both.
enum Folding {
    /// The normalized words of a text, none of them empty.
    ///
    /// Every character that isn't a letter, a digit or a mark separates words, so no word contains a
    /// character with a meaning in queries.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for decomposed in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            for scalar in decomposed.properties.lowercaseMapping.unicodeScalars where !isIgnored(scalar) {
                if isKept(scalar) {
                    append(scalar, to: &word)
                } else if !word.isEmpty {
                    words.append(String(word))
                    word.removeAll()
                }
            }
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

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
