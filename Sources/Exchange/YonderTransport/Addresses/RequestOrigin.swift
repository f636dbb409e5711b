/// The network from which a request came.
///
/// `TrustedProxies` finds it for each request; attempts and connections are counted by its network, and cookies are
/// secure by its scheme (`TrustedProxiesTests`).
package struct RequestOrigin: Hashable, Sendable {
    /// The client's IPv4 address, or its IPv6 network, for which attempts are counted.
    package let network: String

    /// Whether a trusted proxy states that the client used TLS.
    package let isForwardedSecurely: Bool

    package init(network: String, isForwardedSecurely: Bool) {
        self.network = network
        self.isForwardedSecurely = isForwardedSecurely
    }

    /// The subnet that nearby addresses share: the first 24 bits in IPv4, 64 in IPv6.
    package var subnet: String {
        guard let address = IPAddress(network), address.bytes.count == 4 else { return network }
        return address.bytes.prefix(3).map(String.init).joined(separator: ".") + ".0/24"
    }
}
