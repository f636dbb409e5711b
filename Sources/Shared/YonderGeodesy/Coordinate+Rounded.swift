// Regions, indexes, objects and live regions compare these integers, on the server and in clients; databases have them, too.
// Only ``Rounded/init(latitude:longitude:)`` can refuse. The unit and the rounding must stay: a different rounding at one end
// would move points across edges (`CoordinateTests`, `PlacesFixtureTests`).
extension Coordinate {
    /// A coordinate as two integers of 10⁻⁷ degrees, about a centimeter each.
    ///
    /// Positions and the edges of regions are rounded to these on entry. All comparisons are between
    /// integers, so that an index, a store and a client never disagree about an edge.
    public struct Rounded: Hashable, Sendable {
        /// Ten-millionths of a degree north of the equator, in `-900_000_000...900_000_000`.
        public let latitude: Int32

        /// Ten-millionths of a degree east of Greenwich, in `-1_800_000_000..<1_800_000_000`.
        public let longitude: Int32

        /// Creates a rounded coordinate from integers of 10⁻⁷ degrees, folding a longitude of exactly 180°.
        ///
        /// - Returns: `nil` if either lies outside its range.
        public init?(latitude: Int32, longitude: Int32) {
            guard
                (-900_000_000...900_000_000).contains(latitude),
                (-1_800_000_000...1_800_000_000).contains(longitude)
            else { return nil }
            self.init(valid: latitude, longitude)
        }

        init(valid latitude: Int32, _ longitude: Int32) {
            self.latitude = latitude
            self.longitude = longitude == 1_800_000_000 ? -1_800_000_000 : longitude
        }
    }

    /// The number of a rounded coordinate's units in a degree.
    public static let roundedUnitsPerDegree = 1e7

    /// This coordinate in integers of 10⁻⁷ degrees; a longitude that rounds up to 180° becomes −180°.
    public var rounded: Rounded {
        Rounded(valid: Self.round(latitude), Self.round(longitude))
    }

    /// Creates the coordinate in degrees that a rounded one stands for.
    public init(_ rounded: Rounded) {
        self.init(
            computedLatitude: Double(rounded.latitude) / Self.roundedUnitsPerDegree,
            longitude: Double(rounded.longitude) / Self.roundedUnitsPerDegree
        )
    }

    /// Rounds degrees in `-180...180` to integers of 10⁻⁷ degrees, halves away from zero.
    static func round(_ degrees: Double) -> Int32 {
        Int32((degrees * roundedUnitsPerDegree).rounded())
    }
}
