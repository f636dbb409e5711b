package import YonderModel

/// The origins whose pages may send requests with a user's cookie: the server's own, and the listed ones.
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
        let text = text.lowercased()
        let scheme = text.hasPrefix("https://") ? "https" : "http"
        guard text.hasPrefix(scheme + "://") else { return nil }
        var host = text.dropFirst(scheme.count + 3)
        let isPlain = host.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !"/?#@\\".utf8.contains(byte)
        }
        guard isPlain, !host.isEmpty else { return nil }
        let port = scheme == "https" ? ":443" : ":80"
        if host.hasSuffix(port) { host = host.dropLast(port.count) }
        return host.isEmpty ? nil : "\(scheme)://\(host)"
    }
}
