package import YonderModel

/// The address of a server, as in `https://host:port/prefix`.
///
/// `Links` reads one of the address that an app or a person gives; `SessionKeeper` compares a session's server with it, and
/// links of invitations are checked by it. Any other text throws `invalidField`, which a screen shows. ``url`` and ``origin``
/// must stay as they are: sessions are kept under them, and a server checks the origin (`ServerAddressTests`).
package struct ServerAddress: Hashable, Sendable {
    /// A host name in small letters, or an IP address without brackets.
    package let host: String
    package let port: Int

    /// Whether to use TLS: for `https` and `wss`.
    package let isSecure: Bool

    /// The path in front of `/v1`, without a slash at its end.
    package let prefix: String

    /// Reads a URL with one of the schemes `https`, `http`, `wss` and `ws`.
    ///
    /// - Throws: `invalidField`, also for a URL with a user, a query or a fragment.
    package init(_ url: String) throws(SharingError) {
        guard let read = Self.read(url) else {
            throw SharingError(
                .invalidField,
                "server must be an address like https://HOST or http://HOST:PORT/PATH; it is \(url.prefix(200))."
            )
        }
        self = read
    }

    private init(host: String, port: Int, isSecure: Bool, prefix: String) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
        self.prefix = prefix
    }

    /// The value of the `Host` header.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == Self.usualPort(isSecure) ? name : "\(name):\(port)"
    }

    /// The address with the scheme of web pages, as in the links that the server makes: `https://host:port/prefix`.
    package var url: String { "\(origin)\(prefix)" }

    /// The scheme, the host and the port, as browsers send them: `https://host:port`.
    package var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

    /// Whether the server is on this machine, so that requests without TLS don't leave it.
    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    private static func usualPort(_ isSecure: Bool) -> Int { isSecure ? 443 : 80 }

    private static func read(_ url: String) -> ServerAddress? {
        let schemes = [("https://", true), ("http://", false), ("wss://", true), ("ws://", false)]
        guard let (scheme, isSecure) = schemes.first(where: { url.lowercased().hasPrefix($0.0) }),
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.contains(where: "?#@\\".contains)
        else { return nil }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        guard let (host, port) = split(authority, usual: usualPort(isSecure)) else { return nil }
        var prefix = rest.dropFirst(authority.count)
        while prefix.hasSuffix("/") { prefix.removeLast() }
        return ServerAddress(host: host, port: port, isSecure: isSecure, prefix: String(prefix))
    }

    private static func split(_ authority: Substring, usual: Int) -> (String, Int)? {
        let isBracketed = authority.hasPrefix("[")
        let end =
            isBracketed ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":") ?? authority.endIndex
        guard let end else { return nil }
        let host = isBracketed ? authority[..<end].dropFirst() : authority[..<end]
        let rest = isBracketed ? authority[end...].dropFirst() : authority[end...]
        guard !host.isEmpty else { return nil }
        if rest.isEmpty { return (host.lowercased(), usual) }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (host.lowercased(), Int(port))
    }
}
