public import YonderGeodesy

/// The value of a location field: a coordinate, an address, or both.
///
/// A location with only an address isn't on the map until it is geocoded.
///
/// Read from requests and stored fields in `FieldValue+JSON.swift`, from files in `ObjectLocation+Text.swift`; the index has
/// ``coordinate``. What exists is valid: a reader that gets `nil` refuses the field with `bounds(_:)`. Limits stand in
/// `Documentation/objects.md`, and may be widened; rounding to 10⁻⁷ degrees must stay, as index, stores and clients compare
/// integers (`ObjectJSONTests`).
public struct ObjectLocation: Hashable, Sendable {
    /// The coordinate, rounded to 10⁻⁷ degrees, or `nil` if only the address is known.
    public let coordinate: Coordinate.Rounded?

    /// The altitude above mean sea level, or `nil` if unknown; only together with a coordinate.
    public let altitude: Distance?

    /// The address of the place, 1…1 000 bytes without control characters, or `nil`.
    public let address: String?

    /// The most bytes of an address.
    public static let addressLimit = 1_000

    /// The accepted altitudes, in meters: from below the deepest mine to beyond geostationary satellites.
    public static let altitudes: ClosedRange<Double> = -100_000...100_000_000

    /// Creates a location at a coordinate, which is rounded.
    ///
    /// - Returns: `nil` if the altitude lies outside ``altitudes``, or if the address isn't valid: see
    ///   ``address``.
    public init?(_ coordinate: Coordinate, altitude: Distance? = nil, address: String? = nil) {
        self.init(coordinate.rounded, altitude: altitude, address: address)
    }

    /// Creates a location at a coordinate.
    ///
    /// - Returns: `nil` if the altitude lies outside ``altitudes``, or if the address isn't valid: see
    ///   ``address``.
    public init?(_ coordinate: Coordinate.Rounded, altitude: Distance? = nil, address: String? = nil) {
        guard altitude.map({ Self.altitudes.contains($0.meters) }) ?? true,
            address.map(Self.isValid) ?? true
        else { return nil }
        self.coordinate = coordinate
        self.altitude = altitude
        self.address = address
    }

    /// Creates a location that only has an address; `nil` if the address isn't valid: see ``address``.
    public init?(address: String) {
        guard Self.isValid(address) else { return nil }
        coordinate = nil
        altitude = nil
        self.address = address
    }

    /// The message about an altitude or an address out of bounds, for the field `name`.
    static func bounds(_ name: String) -> String {
        "\(name): altitude must be in -100000…100000000 meters, address must have 1 to \(addressLimit) bytes."
    }

    private static func isValid(_ address: String) -> Bool {
        (1...addressLimit).contains(address.utf8.count)
            && !address.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
