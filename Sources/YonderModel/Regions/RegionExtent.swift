import YonderGeodesy

/// A region's edges, so that a point is tested by two subtractions and two comparisons.
///
/// The longitude is measured eastward from the western edge, which crosses the antimeridian by itself. It agrees with
/// ``Region/contains(_:)-(Coordinate.Rounded)`` for every point.
struct RegionExtent: Hashable, Sendable {
    private let west: Int32
    private let south: Int32
    private let width: UInt32
    private let height: UInt32

    // 360° in 10⁻⁷ degrees; it fits 32 bits without a sign.
    private static let circle: UInt32 = 3_600_000_000

    init(_ region: Region) {
        west = region.westEdge
        south = region.southEdge
        width = Self.eastward(from: region.westEdge, to: region.eastEdge)
        height = UInt32(bitPattern: region.northEdge &- region.southEdge)
    }

    @inline(__always)
    func contains(_ point: Coordinate.Rounded) -> Bool {
        // South of the region the difference is negative, which is more than any height without its sign.
        let isBetweenParallels = UInt32(bitPattern: point.latitude &- south) <= height
        return isBetweenParallels && Self.eastward(from: west, to: point.longitude) <= width
    }

    /// How far east the one is of the other, in `0...3_600_000_000`: modulo 2³² on the way, and right at its end.
    @inline(__always)
    private static func eastward(from west: Int32, to longitude: Int32) -> UInt32 {
        let difference = UInt32(bitPattern: longitude &- west)
        return longitude < west ? difference &+ circle : difference
    }
}
