package import YonderModel

/// Which pages may speak to the server in the name of who looks at them: its own, and the listed ones.
package struct Origins: Sendable {
    private let listed: Set<String>

    /// The one that links are made with: the first of the list, or `nil` if that is empty.
    let preferred: String?

    /// The server's own pages alone.
    package static let own = Origins(normalized: [])

    private init(normalized: Set<String>) {
        listed = normalized
        preferred = nil
    }

    /// Lists origins such as `https://map.example.org`.
    ///
    /// - Throws: `invalidField` for what isn't an origin.
    package init(_ listed: [String]) throws(SharingError) {
        var origins: Set<String> = []
        for text in listed {
            guard let origin = Self.normalized(text) else {
                throw SharingError(.invalidField, "\(text) is not an origin such as https://example.org.")
            }
            origins.insert(origin)
        }
        self.listed = origins
        preferred = listed.first.flatMap(Self.normalized)
    }

    /// Whether a page of `origin` may be answered from another host.
    package func lists(_ origin: String) -> Bool {
        listed(origin) != nil
    }

    /// The listed origin that `origin` is, in lower case and without the scheme's own port, or `nil` if it is none.
    func listed(_ origin: String) -> String? {
        Self.normalized(origin).flatMap { listed.contains($0) ? $0 : nil }
    }

    /// Whether `origin` is the page of the host that the request went to, or listed.
    ///
    /// `authority` is the request's `Host`. With `isSecure` the request came over TLS, so the page must have, too.
    package func allows(_ origin: String, authority: String?, isSecure: Bool) -> Bool {
        guard let origin = Self.normalized(origin) else { return false }
        if listed.contains(origin) { return true }
        guard let authority else { return false }
        let schemes = isSecure ? ["https"] : ["http", "https"]
        return schemes.contains { Self.normalized("\($0)://\(authority)") == origin }
    }

    /// Lower case, without the scheme's own port; `nil` if it has more than scheme, host and port, or less.
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
