public import YonderGeodesy

/// What stands in a location field: a place, an address, or both.
///
/// An address alone is not on any map until somebody geocodes it.
public struct ObjectLocation: Hashable, Sendable {
    /// Where it is, rounded to 10⁻⁷ degrees, or `nil` if only the address is known.
    public let coordinate: Coordinate.Rounded?

    /// How high above mean sea level it is, or `nil`; only with a coordinate.
    public let altitude: Distance?

    /// How people call the place, 1…1 000 bytes without control characters, or `nil`.
    public let address: String?

    /// How many bytes an address may have.
    public static let addressLimit = 1_000

    /// What an altitude may be, in meters: from below any mine to beyond the satellites that stand still.
    public static let altitudes: ClosedRange<Double> = -100_000...100_000_000

    /// Creates a location at a place, which is rounded.
    ///
    /// - Returns: `nil` if the altitude or the address is not as its documentation says.
    public init?(_ coordinate: Coordinate, altitude: Distance? = nil, address: String? = nil) {
        self.init(coordinate.rounded, altitude: altitude, address: address)
    }

    /// Creates a location at a place.
    ///
    /// - Returns: `nil` if the altitude or the address is not as its documentation says.
    public init?(_ coordinate: Coordinate.Rounded, altitude: Distance? = nil, address: String? = nil) {
        guard altitude.map({ Self.altitudes.contains($0.meters) }) ?? true,
            address.map(Self.isValid) ?? true
        else { return nil }
        self.coordinate = coordinate
        self.altitude = altitude
        self.address = address
    }

    /// Creates a location that only has an address; `nil` if that is not as its documentation says.
    public init?(address: String) {
        guard Self.isValid(address) else { return nil }
        coordinate = nil
        altitude = nil
        self.address = address
    }

    private static func isValid(_ address: String) -> Bool {
        (1...addressLimit).contains(address.utf8.count)
            && !address.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
