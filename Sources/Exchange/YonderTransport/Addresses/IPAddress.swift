package import NIOCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An IPv4 or IPv6 address.
///
/// An IPv4-mapped IPv6 address is treated as an IPv4 address.
///
/// `TrustedProxies`, `RequestOrigin`, `PublicAddress` and the settings read addresses into it. A text that isn't one
/// gives `nil`. The network by which attempts and connections are counted, of IPv6 the first 64 bits, must stay while
/// nodes share counts (`TrustedProxiesTests`).
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes.
    package let bytes: [UInt8]

    /// Reads an address without a port; `nil` if the text isn't an address.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        let address =
            Self.bytes(text, AF_INET, 4) ?? Self.bytes(String(text.prefix { $0 != "%" }), AF_INET6, 16)
        guard let address else { return nil }
        self.init(address)
    }

    /// Reads a socket's address; `nil` for a Unix domain socket.
    package init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    private init(_ bytes: [UInt8]) {
        let isMapped =
            bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 255
            && bytes[11] == 255
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    private static func bytes(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// Whether the address is a loopback address of this machine.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The key for which attempts are counted: the IPv4 address, or the IPv6 /64 network, which belongs to
    /// one customer.
    package var network: String {
        guard bytes.count == 16 else { return description }
        return groups.prefix(4).joined(separator: ":") + "::/64"
    }

    package var description: String {
        bytes.count == 16 ? groups.joined(separator: ":") : "\(bytes[0]).\(bytes[1]).\(bytes[2]).\(bytes[3])"
    }

    private var groups: [String] {
        stride(from: 0, to: 16, by: 2).map { index in
            let high = UInt16(bytes[index]) << 8
            return String(high | UInt16(bytes[index + 1]), radix: 16)
        }
    }
}
