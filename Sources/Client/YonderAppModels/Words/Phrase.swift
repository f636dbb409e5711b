/// A text with `{name}`s in it, or its forms for one and for several.
///
/// `English.swift` and `German.swift` write them, `AppContext.say` chooses the form. A language with more forms needs cases
/// here (`WordsTests`).
enum Phrase: Hashable, Sendable {
    case text(String)
    case counted(one: String, other: String)

    /// The form for a number; English and German have one for 1 and one for every other number.
    func form(for count: Int?) -> String {
        switch self {
        case .text(let text): text
        case .counted(let one, let other): count == 1 ? one : other
        }
    }
}

extension Phrase: ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        self = .text(text)
    }
}
