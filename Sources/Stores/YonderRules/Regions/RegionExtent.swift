import YonderGeodesy
import YonderModel

/// A region's edges in a form that tests a point with two subtractions and two comparisons.
///
/// Longitudes are measured eastward from the western edge, which handles the antimeridian without a special
/// case. The result agrees with ``Region/contains(_:)-(Coordinate.Rounded)`` for every point.
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
        // For a point south of the region the difference is negative, which as an unsigned number exceeds any
        // height.
        let isBetweenParallels = UInt32(bitPattern: point.latitude &- south) <= height
        return isBetweenParallels && Self.eastward(from: west, to: point.longitude) <= width
    }

    /// The distance eastward from one longitude to another, in `0...3_600_000_000`; wraps modulo 2³² on the
    /// way, but not in the result.
    @inline(__always)
    private static func eastward(from west: Int32, to longitude: Int32) -> UInt32 {
        let difference = UInt32(bitPattern: longitude &- west)
        return longitude < west ? difference &+ circle : difference
    }
}
