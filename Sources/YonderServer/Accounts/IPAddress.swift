import Foundation
import NIOCore

/// An IPv4 or IPv6 address.
///
/// An IPv4-mapped IPv6 address is treated as an IPv4 address.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes.
    let bytes: [UInt8]

    /// Reads an address without a port; `nil` if the text isn't an address.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        if let four = Self.bytes(text, AF_INET, 4) {
            bytes = four
        } else if let six = Self.bytes(String(text.prefix { $0 != "%" }), AF_INET6, 16) {
            let isMapped = six.prefix(10).allSatisfy { $0 == 0 } && six[10] == 255 && six[11] == 255
            bytes = isMapped ? Array(six.suffix(4)) : six
        } else {
            return nil
        }
    }

    /// Reads a socket's address; `nil` for a Unix domain socket.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    private static func bytes(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// Whether the address is a loopback address of this machine.
    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The key for which attempts are counted: the IPv4 address, or the IPv6 /64 network, which belongs to
    /// one customer.
    var network: String {
        guard bytes.count == 16 else { return description }
        return groups.prefix(4).joined(separator: ":") + "::/64"
    }

    var description: String {
        bytes.count == 16 ? groups.joined(separator: ":") : bytes.map(String.init).joined(separator: ".")
    }

    private var groups: [String] {
        stride(from: 0, to: 16, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
    }
}
