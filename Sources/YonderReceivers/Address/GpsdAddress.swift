/// Where gpsd is, and which of its receivers matters.
public struct GpsdAddress: Hashable, Sendable {
    /// The port that gpsd has by default.
    public static let usualPort = 2947

    /// A name or an address, without brackets.
    public let host: String

    /// The TCP port.
    public let port: Int

    /// The receiver's path as gpsd calls it, such as `/dev/ttyUSB0`, or `nil` for any.
    public let device: String?

    /// Any receiver of the gpsd on this machine.
    public init() {
        (host, port, device) = ("localhost", Self.usualPort, nil)
    }

    /// Creates an address.
    ///
    /// It is `nil` if the host is empty, the port lies outside `1...65535`, or the device is empty, longer than 128
    /// bytes, or has characters other than ASCII's printable ones, or quotes or backslashes, which no path of gpsd's
    /// has.
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
