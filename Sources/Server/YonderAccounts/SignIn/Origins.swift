import YonderJSON
package import YonderModel

/// The origins whose pages may send requests with a user's cookie: the server's own, and the listed ones.
///
/// `ServeSettings` reads `--origin` into one, where an error ends the start; `Authenticator`, `CrossOriginMiddleware`
/// and `PublicAddress` ask it for each request. A request with a cookie from a page of another origin is refused:
/// ``allows(_:authority:isSecure:)`` must stay as strict, or foreign pages act as the user (`OriginTests`). A text that
/// isn't an origin matches nothing.
package struct Origins: Sendable {
    private let listed: Set<String>

    /// The origin for links: the first of the list, or `nil` if the list is empty.
    package let preferred: String?

    /// Only the server's own pages.
    package static let own = Origins(normalized: [])

    private init(normalized: Set<String>) {
        listed = normalized
        preferred = nil
    }

    /// Lists origins such as `https://map.example.org`.
    ///
    /// - Throws: `invalidField` for a text that isn't an origin.
    package init(_ listed: [String]) throws(SharingError) {
        var origins: Set<String> = []
        for text in listed {
            guard let origin = Self.normalized(text) else {
                throw SharingError(.invalidField, "\(text) must be an origin such as https://example.org.")
            }
            origins.insert(origin)
        }
        self.listed = origins
        preferred = listed.first.flatMap(Self.normalized)
    }

    /// Whether cross-origin requests from a page of `origin` are answered.
    package func lists(_ origin: String) -> Bool {
        listed(origin) != nil
    }

    /// Returns `origin` in its normalized form if it is listed, or else `nil`.
    package func listed(_ origin: String) -> String? {
        Self.normalized(origin).flatMap { listed.contains($0) ? $0 : nil }
    }

    /// Whether `origin` is that of the host to which the request was sent, or a listed one.
    ///
    /// `authority` is the request's `Host`. With `isSecure` the request came over TLS, so the origin must be
    /// HTTPS, too.
    package func allows(_ origin: String, authority: String?, isSecure: Bool) -> Bool {
        guard let origin = Self.normalized(origin) else { return false }
        if listed.contains(origin) { return true }
        guard let authority else { return false }
        let schemes = isSecure ? ["https"] : ["http", "https"]
        return schemes.contains { Self.normalized("\($0)://\(authority)") == origin }
    }

    /// Converts an origin to lower case, without the scheme's default port; `nil` unless it is exactly
    /// scheme, host and port.
    private static func normalized(_ text: String) -> String? {
        let isSecure = text.utf8.beginsIgnoringCase(with: "https://")
        guard isSecure || text.utf8.beginsIgnoringCase(with: "http://") else { return nil }
        // The longest name of a host has 253 bytes, and behind it may be a port.
        guard let host = text.utf8.dropFirst(isSecure ? 8 : 7).name(atMost: 260),
            !host.utf8.contains(where: "/?#@\\".utf8.contains)
        else { return nil }
        let small = host.lowercased()
        let port = isSecure ? ":443" : ":80"
        let rest = small.hasSuffix(port) ? small.dropLast(port.count) : small[...]
        return rest.isEmpty ? nil : "\(isSecure ? "https" : "http")://\(rest)"
    }
}
