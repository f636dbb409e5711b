/// The speed of a serial line, in bits per second: one that serial ports support.
///
/// `ReceiverAddress` reads one of a text; `DeviceDescriptor` sets it. A further speed needs its constant in
/// `BaudRate+Code.swift` (`ReceiverAddressTests`).
public struct BaudRate: Hashable, Sendable, CaseIterable {
    /// Bits per second.
    public let bitsPerSecond: Int

    private init(known bitsPerSecond: Int) {
        self.bitsPerSecond = bitsPerSecond
    }

    /// Creates a speed, or `nil` if serial ports don't support it.
    public init?(bitsPerSecond: Int) {
        self.init(known: bitsPerSecond)
        guard Self.allCases.contains(self) else { return nil }
    }

    /// 4800, the speed of NMEA 0183.
    public static let nmea = BaudRate(known: 4800)

    /// 38 400, the speed of NMEA 0183-HS, which AIS uses.
    public static let highSpeedNMEA = BaudRate(known: 38_400)

    /// All speeds, slowest first.
    public static let allCases = [
        1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
    ].map { BaudRate(known: $0) }
}
