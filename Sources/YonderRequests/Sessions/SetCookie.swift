/// A cookie that an answer sets, or removes (RFC 6265, section 5.2).
///
/// Only what counts for a client of one server: the name, the value, and whether the cookie is over. It goes back to the same scheme,
/// host and port, whatever domain and path it names.
struct SetCookie: Hashable, Sendable {
    let name: String

    /// `nil` if the cookie is removed.
    let value: String?

    /// The most bytes of a name and its value.
    static let limit = 4_096

    /// Reads a header field's value; `nil` for one that isn't a cookie, or too long.
    init?(_ field: String) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "="), pair.utf8.count <= Self.limit
        else { return nil }
        let name = Self.trimmed(pair[..<equals])
        let value = Self.trimmed(pair[pair.index(after: equals)...])
        guard !name.isEmpty, (name + value).utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        self.name = name
        self.value = value.isEmpty || parts.dropFirst().contains(where: Self.isOver) ? nil : value
    }

    /// Whether an attribute says that the cookie is over: `Max-Age` of 0 or less.
    private static func isOver(_ attribute: Substring) -> Bool {
        let parts = attribute.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, trimmed(parts[0]).lowercased() == "max-age" else { return false }
        return Int(trimmed(parts[1])).map { $0 <= 0 } ?? false
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}

extension Session {
    /// The most cookies that are kept.
    private static let limit = 8

    /// Takes the cookies of an answer.
    mutating func take(_ fields: [String]) {
        for cookie in fields.compactMap(SetCookie.init)
        where cookies[cookie.name] != nil || cookies.count < Self.limit {
            cookies[cookie.name] = cookie.value
        }
    }

    /// The value of the `Cookie` header, or `nil` without a cookie.
    var cookieHeader: String? {
        cookies.isEmpty
            ? nil : cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }
}
