/// The address of a NATS server: `nats://HOST:PORT` or, with TLS in any case, `tls://HOST:PORT`.
///
/// A name and a password, `nats://NAME:PASSWORD@HOST`, or a token, `nats://TOKEN@HOST`, may stand in front of the host.
/// They are in no description of the address.
///
/// `BusSettings` reads `--bus` into a list once, at the start; a text that is none ends the start. `NATSConnector`
/// connects to one, and logs name it. That credentials never stand in a description or a message must stay, and that a
/// server beyond loopback needs TLS (`NATSSession`). What is accepted is promised in `Documentation/configuration.md`
/// (`NATSAddressTests`). 32 addresses may be changed.
package struct NATSAddress: Hashable, Sendable {
    /// The proof that stands in front of the host.
    package enum Credentials: Hashable, Sendable {
        case password(name: String, password: String)
        case token(String)
    }

    /// A host name, or an IP address without brackets.
    package let host: String
    package let port: Int

    /// Whether the connection must use TLS even where the server doesn't require it.
    package let requiresTLS: Bool
    package let credentials: Credentials?

    /// The port of a NATS server that the address doesn't name.
    package static let usualPort = 4222

    /// The most addresses of one client.
    package static let mostAddresses = 32

    /// Reads an address.
    ///
    /// - Throws: `invalidAddress`; the message doesn't quote what may be credentials.
    package init(_ text: String) throws(NATSError) {
        guard let read = Self.read(text) else {
            throw NATSError(
                .invalidAddress,
                "A bus address must be like nats://HOST:4222 or tls://HOST:4222; one of \(text.utf8.count) bytes isn't."
            )
        }
        self = read
    }

    /// Reads the addresses of one cluster, parted by commas.
    ///
    /// - Throws: `invalidAddress`, also for none and for more than 32.
    package static func list(_ text: String) throws(NATSError) -> [NATSAddress] {
        var addresses: [NATSAddress] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            addresses.append(try NATSAddress(part.drop { $0 == " " }.description))
        }
        guard addresses.count <= mostAddresses else {
            throw NATSError(
                .invalidAddress,
                "A bus has at most \(mostAddresses) addresses; these are \(addresses.count)."
            )
        }
        return addresses
    }

    private init(host: String, port: Int, requiresTLS: Bool, credentials: Credentials?) {
        self.host = host
        self.port = port
        self.requiresTLS = requiresTLS
        self.credentials = credentials
    }

    /// Whether the server is on this machine, so that nothing sent to it leaves it.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || (host.hasPrefix("127.") && Self.isIPv4(host))
    }

    private static func isIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension NATSAddress: CustomStringConvertible, CustomDebugStringConvertible {
    /// The address without its credentials.
    package var description: String {
        "\(requiresTLS ? "tls" : "nats")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    package var debugDescription: String { description }
}

// The text of an address.
extension NATSAddress {
    private static func read(_ text: String) -> NATSAddress? {
        let schemes = [("nats://", false), ("tls://", true)]
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), text.utf8.count <= 1_024,
            let (scheme, requiresTLS) = schemes.first(where: { text.lowercased().hasPrefix($0.0) })
        else { return nil }
        var rest = text.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        let parts = rest.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let (host, port) = split(parts[parts.count - 1]) else { return nil }
        var found: Credentials?
        if parts.count == 2 {
            guard let credentials = credentials(parts[0]) else { return nil }
            found = credentials
        }
        return NATSAddress(host: host, port: port, requiresTLS: requiresTLS, credentials: found)
    }

    private static func credentials(_ text: Substring) -> Credentials? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts[0].removingPercents, !first.isEmpty else { return nil }
        guard parts.count == 2 else { return .token(first) }
        guard let password = parts[1].removingPercents else { return nil }
        return .password(name: first, password: password)
    }

    private static func split(_ authority: Substring) -> (String, Int)? {
        let isBracketed = authority.hasPrefix("[")
        let end =
            isBracketed ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":") ?? authority.endIndex
        guard let end else { return nil }
        let host = isBracketed ? authority[..<end].dropFirst() : authority[..<end]
        let rest = isBracketed ? authority[end...].dropFirst() : authority[end...]
        guard !host.isEmpty, !host.contains(where: "/?#\\[],".contains) else { return nil }
        if rest.isEmpty { return (String(host), usualPort) }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (String(host), Int(port))
    }
}

extension Substring {
    /// The text with `%40` and the like replaced, or `nil` if that isn't UTF-8.
    fileprivate var removingPercents: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.count >= 2
            else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
