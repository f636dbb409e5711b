/// The address of a gpsd, and the receiver to use.
///
/// `ReceiverAddress` reads one of a text, an app makes one for a `GpsdSource`. What a device may be must stay: it is put into
/// gpsd's request as it is (`ReceiverAddressTests`).
public struct GpsdAddress: Hashable, Sendable {
    /// The default port of gpsd.
    public static let usualPort = 2947

    /// A host name, or an IP address without brackets.
    public let host: String

    /// The TCP port.
    public let port: Int

    /// The receiver's path as reported by gpsd, such as `/dev/ttyUSB0`, or `nil` for any.
    public let device: String?

    /// Creates the address of the gpsd on this machine, with any receiver.
    public init() {
        (host, port, device) = ("localhost", Self.usualPort, nil)
    }

    /// Creates an address.
    ///
    /// - Returns: `nil` if the host is empty, the port lies outside `1...65535`, or the device isn't a path
    ///   that gpsd can have: 1…128 visible ASCII characters without quotes and backslashes.
    public init?(host: String, port: Int = usualPort, device: String? = nil) {
        guard !host.isEmpty, (1...65_535).contains(port), device.map(Self.isPath) ?? true else { return nil }
        self.host = host
        self.port = port
        self.device = device
    }

    private static func isPath(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}
