/// A cookie that an answer sets, or removes (RFC 6265, section 5.2).
///
/// Only what counts for a client of one server: the name, the value, and whether the cookie is over. It goes back to the same scheme,
/// host and port, whatever domain and path it names.
///
/// `SessionKeeper` reads each `Set-Cookie` of an answer with it. A field that isn't a cookie, or one of another name, is
/// ignored; nothing fails. Names are those of the server's cookies, with and without TLS, and must stay. That a proxy's
/// cookies aren't kept must stay, too (`SetCookieTests`). The limit may be raised with the server's.
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
    /// The names of the cookie that signs in, with TLS and without.
    private static let signInNames = ["__Host-yonder", "yonder"]

    /// The names of the cookies that are kept: of the sign-in, and of the device, for which a server takes more attempts to sign in.
    ///
    /// Those of a proxy or a load balancer aren't kept.
    private static let names = Set(signInNames + ["__Host-yonder-device", "yonder-device"])

    /// Takes the cookies of an answer.
    mutating func take(_ fields: [String]) {
        for cookie in fields.compactMap(SetCookie.init) where Self.names.contains(cookie.name) {
            cookies[cookie.name] = cookie.value
        }
    }

    /// Whether the session has the cookie that signs in.
    var isSignedIn: Bool { signIn != nil }

    /// The cookie that signs in, as in a header.
    var signIn: String? {
        Self.signInNames.compactMap { name in cookies[name].map { "\(name)=\($0)" } }.first
    }

    /// The cookie that signs in, of a `Cookie` header.
    static func signIn(in header: String?) -> String? {
        let sent = (header ?? "").split(separator: "; ").map(String.init)
        return sent.first { pair in signInNames.contains { pair.hasPrefix("\($0)=") } }
    }

    /// The value of the `Cookie` header, or `nil` without a cookie.
    var cookieHeader: String? {
        cookies.isEmpty
            ? nil : cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }
}
