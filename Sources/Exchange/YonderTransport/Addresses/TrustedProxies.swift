package import NIOCore
import YonderJSON

/// The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
///
/// `ServeSettings` reads `--proxy` into one, where an error ends the start; `Authenticator` and `ConnectionGate` ask it
/// for each request or connection, on any thread. Limits by address rest on it: that only a trusted proxy's headers
/// count, and of several hops the last that isn't trusted, must stay (`TrustedProxiesTests`,
/// `Documentation/on-the-internet.md`). An address of a header that can't be read counts as the proxy's.
package struct TrustedProxies: Sendable {
    private struct Range {
        let address: IPAddress
        let prefix: Int

        init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1)
            guard let first = parts.first, let address = IPAddress(first) else { return nil }
            let bits = address.bytes.count * 8
            guard let prefix = parts.count == 2 ? Int(parts[1]) : bits, (0...bits).contains(prefix) else {
                return nil
            }
            self.address = address
            self.prefix = prefix
        }

        func contains(_ other: IPAddress) -> Bool {
            guard other.bytes.count == address.bytes.count else { return false }
            let (whole, rest) = prefix.quotientAndRemainder(dividingBy: 8)
            guard other.bytes.prefix(whole) == address.bytes.prefix(whole) else { return false }
            guard rest > 0 else { return true }
            let differing: UInt8 = other.bytes[whole] ^ address.bytes[whole]
            return differing.leadingZeroBitCount >= rest
        }
    }

    private let ranges: [Range]

    /// No trusted proxies.
    package static let none = TrustedProxies(ranges: [])

    /// Reads addresses (`10.0.0.2`, `::1`) and networks (`10.0.0.0/8`).
    ///
    /// - Throws: The first text that is neither.
    package init(_ texts: [String]) throws(InvalidNetwork) {
        var ranges: [Range] = []
        for text in texts {
            guard let range = Range(text) else { throw InvalidNetwork(text: text) }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    private init(ranges: [Range]) {
        self.ranges = ranges
    }

    /// The client that sent a request: the last hop that isn't a trusted proxy.
    ///
    /// `values` returns all values of the request's header fields with a name in lower case.
    package func client(from peer: SocketAddress?, values: (String) -> [String]) -> RequestOrigin {
        guard let peer, var address = IPAddress(peer) else {
            return RequestOrigin(network: "local", isForwardedSecurely: false)
        }
        guard isTrusted(address) else {
            return RequestOrigin(network: address.network, isForwardedSecurely: false)
        }
        var hops = values("x-forwarded-for").flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
        while isTrusted(address), let hop = hops.popLast() {
            guard let text = hop.trimmed.name(), let next = IPAddress(text) else { break }
            address = next
        }
        let schemes = values("x-forwarded-proto")
        let isSecure = schemes.count == 1 && schemes[0].utf8.isIgnoringCase("https")
        return RequestOrigin(network: address.network, isForwardedSecurely: isSecure)
    }

    /// Whether a connection comes from a trusted proxy.
    package func trusts(_ peer: SocketAddress?) -> Bool {
        peer.flatMap { IPAddress($0) }.map(isTrusted) ?? false
    }

    /// The network for which a connection and its attempts are counted.
    static func network(of peer: SocketAddress?) -> String {
        peer.flatMap { IPAddress($0) }?.network ?? "local"
    }

    private func isTrusted(_ address: IPAddress) -> Bool {
        ranges.contains { $0.contains(address) }
    }
}

/// A text that is neither an address nor a network.
package struct InvalidNetwork: Error, Hashable {
    /// The text.
    package let text: String
}
