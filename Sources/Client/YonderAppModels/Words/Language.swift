/// A language that the screens have words for.
///
/// `AppContext` chooses one when an app begins. A further language is a case here and a file of its words, which tests
/// compare with the others (`WordsTests`).
public enum Language: String, Hashable, Sendable, CaseIterable {
    /// English.
    case english = "en"
    /// German.
    case german = "de"

    /// The words of the language.
    var table: [Word: Phrase] {
        switch self {
        case .english: Phrase.english
        case .german: Phrase.german
        }
    }

    /// Finds the first of a person's languages that there are words for.
    ///
    /// - Parameter languages: Tags such as `de-AT`, the best first, as `Locale.preferredLanguages` has them.
    /// - Returns: The language and its tag, which also says how dates are written; English if there are words for none.
    static func best(of languages: [String]) -> (language: Language, tag: String) {
        for tag in languages {
            let part = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
            if let language = Language(rawValue: part) { return (language, tag) }
        }
        return (.english, Language.english.rawValue)
    }
}
