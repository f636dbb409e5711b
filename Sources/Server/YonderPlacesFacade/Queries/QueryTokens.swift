import YonderJSON

/// The words and signs of a query, which is ASCII.
///
/// `FacadeQuery` splits each request's `q` into them and reads them one after the other. A stranger's text: nothing
/// traps, and a refusal quotes what was found. Words and signs are those of the original API and must stay
/// (`Documentation/places-facade.md`, `FacadeQueryTests`); ``limit`` may be changed.
///
/// Texts of refusals may be changed.
struct QueryTokens: Sendable {
    enum Token: Hashable, Sendable {
        /// Letters, digits, `_` and `-`, a letter or `_` first.
        case word(String)
        /// `=`, `<`, `<=`, `>`, `>=`, `?`, `(`, `)`, `.`, `,` or digits.
        case sign(String)
    }

    private var tokens: ArraySlice<Token>

    /// The most bytes of a query.
    static let limit = 4_096

    /// Splits a query into tokens.
    ///
    /// - Throws: `TooLarge`; `InvalidQuery` for a character that doesn't occur in queries.
    init(_ text: String) throws(FacadeRefusal) {
        guard text.utf8.count <= Self.limit else {
            throw FacadeRefusal(.tooLarge, "q must be at most \(Self.limit) bytes.")
        }
        if let start = text.utf8.firstIndex(where: { $0 >= 0x80 }) {
            throw FacadeRefusal(.invalidQuery, "q must be ASCII; it has \(text.utf8[start...].excerpt).")
        }
        var tokens: [Token] = []
        var rest = Substring(text)
        while let first = rest.first {
            if Self.isSpace(first) {
                rest.removeFirst()
            } else {
                let (token, length) = try Self.token(rest, first)
                tokens.append(token)
                rest.removeFirst(length)
            }
        }
        self.tokens = tokens[...]
    }

    private static func token(_ rest: Substring, _ first: Character) throws(FacadeRefusal) -> (Token, Int) {
        if isLetter(first) || first == "_" {
            let word = rest.prefix { isLetter($0) || isDigit($0) || $0 == "_" || $0 == "-" }
            return (.word(String(word)), word.count)
        }
        if isDigit(first) {
            let digits = rest.prefix(while: isDigit)
            return (.sign(String(digits)), digits.count)
        }
        guard "=<>?().,".contains(first) else {
            throw FacadeRefusal(
                .invalidQuery,
                "q must be words, numbers and = < > ? ( ) . , alone; it has \(first)."
            )
        }
        let isLong = (first == "<" || first == ">") && rest.dropFirst().first == "="
        return (.sign(isLong ? "\(first)=" : "\(first)"), isLong ? 2 : 1)
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\t" || character.isNewline
    }

    private static func isLetter(_ character: Character) -> Bool {
        character.isASCII && character.isLetter
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && character.isNumber
    }

    /// Whether no token is left.
    var isAtEnd: Bool { tokens.isEmpty }

    /// Returns the next token, or `nil` at the end.
    mutating func next() -> Token? { tokens.popFirst() }

    /// Reads a keyword if it comes next, in any case; returns whether it did.
    mutating func take(word: String) -> Bool {
        guard case .word(let next)? = tokens.first, next.lowercased() == word else { return false }
        tokens.removeFirst()
        return true
    }

    /// Reads a sign if it comes next; returns whether it did.
    mutating func take(sign: String) -> Bool {
        guard tokens.first == .sign(sign) else { return false }
        tokens.removeFirst()
        return true
    }

    /// Reads a word.
    ///
    /// - Throws: `InvalidQuery` if the next token isn't a word.
    mutating func word(_ what: String) throws(FacadeRefusal) -> String {
        guard case .word(let word)? = next() else {
            throw FacadeRefusal(.invalidQuery, "q must have \(what) before each operator and after sort by.")
        }
        return word
    }
}
