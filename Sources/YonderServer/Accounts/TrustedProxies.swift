package import HTTPTypes
package import NIOCore
package import YonderModel

/// The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
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
            return (0..<prefix).allSatisfy { bit in
                (address.bytes[bit / 8] ^ other.bytes[bit / 8]) & (128 >> UInt8(bit % 8)) == 0
            }
        }
    }

    private let ranges: [Range]

    /// No trusted proxies.
    package static let none = TrustedProxies(ranges: [])

    /// Reads addresses (`10.0.0.2`, `::1`) and networks (`10.0.0.0/8`).
    ///
    /// - Throws: `invalidField` for a text that is neither.
    package init(_ texts: [String]) throws(SharingError) {
        var ranges: [Range] = []
        for text in texts {
            guard let range = Range(text) else {
                throw SharingError(.invalidField, "\(text) must be an address or a network, as 10.0.0.0/8.")
            }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    private init(ranges: [Range]) {
        self.ranges = ranges
    }

    /// The client that sent a request: the last hop that isn't a trusted proxy.
    package func client(of head: HTTPRequest, from peer: SocketAddress?) -> RequestOrigin {
        guard let peer, var address = IPAddress(peer) else {
            return RequestOrigin(network: "local", isForwardedSecurely: false)
        }
        guard isTrusted(address) else {
            return RequestOrigin(network: address.network, isForwardedSecurely: false)
        }
        var hops = Self.values("x-forwarded-for", head).flatMap { $0.split(separator: ",") }
        while isTrusted(address), let hop = hops.popLast() {
            guard let next = IPAddress(hop.filter { $0 != " " }) else { break }
            address = next
        }
        let isSecure = Self.values("x-forwarded-proto", head).map { $0.lowercased() } == ["https"]
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

    private static func values(_ name: String, _ head: HTTPRequest) -> [String] {
        head.headerFields.filter { $0.name.canonicalName == name }.map(\.value)
    }
}
