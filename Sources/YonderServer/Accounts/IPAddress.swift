import Foundation
import NIOCore

/// An address of the Internet, version 4 or 6.
///
/// A version 4 address in version 6 clothes is the former.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes.
    let bytes: [UInt8]

    /// Reads an address without a port; `nil` if it isn't one.
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

    /// Takes a socket's address; `nil` for a socket in the file system.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    private static func bytes(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// Whether it is this machine itself.
    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Whose address it is, as far as attempts are counted: a whole version 6 network is one customer.
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
