import Foundation

/// A search by the beginnings of words, as `Web/app/contacts/name-search.js` has it.
///
/// `ChatsModel` and `ContactsModel` make one of what is typed. It can't fail. What it finds must be what the page finds
/// (`ChoresTests`).
struct NameSearch {
    private let parts: [Substring]

    init(_ typed: String) {
        parts = Self.words(typed)
    }

    /// Whether each part that was typed begins a word of the texts; accents and case don't count.
    func finds(_ texts: [String]) -> Bool {
        guard !parts.isEmpty else { return true }
        let words = texts.flatMap(Self.words)
        return parts.allSatisfy { part in words.contains { $0.hasPrefix(part) } }
    }

    private static func words(_ text: String) -> [Substring] {
        let plain = text.decomposedStringWithCompatibilityMapping.unicodeScalars
            .filter { !$0.properties.generalCategory.isMark }
        return String(String.UnicodeScalarView(plain)).lowercased()
            .split { $0.isWhitespace || ".,@_-".contains($0) }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isMark: Bool { [.nonspacingMark, .spacingMark, .enclosingMark].contains(self) }
}
