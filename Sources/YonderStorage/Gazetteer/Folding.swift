import Foundation

/// What is left of a text when only what people type alike counts: lower case, no diacritics, letters and digits.
///
/// Scripts/build-gazetteer folds the same way; `Tests/Fixtures/gazetteer/folding.tsv` holds both to it.
enum Folding {
    /// The folded words of a text, none of them empty.
    ///
    /// Whatever isn't a letter, a digit or a mark parts words, so nothing in them means anything to a query.
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

    /// Diacritics, and what is there for the typesetter alone.
    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.canonicalCombiningClass != .notReordered
            || scalar.properties.generalCategory == .format
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        // Apostrophes in disguise.
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

    /// Letters that Unicode doesn't take apart, and the final sigma.
    private static let apart: [Unicode.Scalar: String] = [
        "ø": "o", "đ": "d", "ł": "l", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i",
        "ħ": "h",
        "ŧ": "t", "ŋ": "ng", "ə": "e", "ς": "σ",
    ]
}
