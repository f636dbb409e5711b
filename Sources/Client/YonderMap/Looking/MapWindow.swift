import YonderGeodesy

/// The part of MapKit's flat map that a view shows, as `MKMapRect` has it.
///
/// Points of the map count from its northwestern corner, eastward and southward. A window that crosses the antimeridian extends beyond
/// the map's eastern or western edge.
///
/// `MapKitGeometry` makes one for each look and each report of MapKit; so the arithmetic runs in tests without MapKit. Only
/// numbers that aren't finite give `nil`. The smallest window and the farthest parallel may change. That a region across the
/// antimeridian comes back as it was must stay, or the map would ask for the rest of the world (`MapWindowTests`).
struct MapWindow: Hashable, Sendable {
    /// The western edge.
    var x: Double

    /// The northern edge.
    var y: Double

    /// The extent eastward.
    var width: Double

    /// The extent southward.
    var height: Double

    /// The side of the square that is the whole map.
    let world: Double

    /// The smallest width and height of a window that shows a region, as a part of ``world``: some 600 m at the equator.
    private static let smallest = 1.5e-5

    /// The parallel up to which a flat map shows the Earth.
    private static let farthest = 85.0

    /// Creates a window.
    init(x: Double, y: Double, width: Double, height: Double, world: Double) {
        (self.x, self.y, self.width, self.height, self.world) = (x, y, width, height, world)
    }

    /// Creates the smallest window that shows a region, and at least some 600 m.
    ///
    /// - Parameters:
    ///   - region: The region.
    ///   - world: The side of the whole map.
    ///   - y: The point of a latitude, southward from the map's northern edge.
    init(_ region: Region, world: Double, y: (_ latitude: Double) -> Double) {
        let degrees = region.east - region.west + (region.crossesAntimeridian ? 360 : 0)
        let north = y(min(region.north, Self.farthest))
        let south = y(max(region.south, -Self.farthest))
        self.init(
            x: (region.west + 180) / 360 * world,
            y: min(north, south),
            width: degrees / 360 * world,
            height: abs(south - north),
            world: world
        )
        grow(to: Self.smallest * world)
    }

    private mutating func grow(to least: Double) {
        if width < least { (x, width) = (x - (least - width) / 2, least) }
        if height < least { (y, height) = (y - (least - height) / 2, least) }
    }

    /// The region in the window.
    ///
    /// A window that reaches the map's northern or southern edge reaches the pole, as a flat map has no point for a pole.
    ///
    /// - Parameter latitude: The latitude of a point, southward from the map's northern edge.
    /// - Returns: `nil` if a number isn't finite or the window has no size.
    func region(latitude: (_ y: Double) -> Double) -> Region? {
        guard [x, y, width, height].allSatisfy(\.isFinite), width >= 0, height >= 0, world > 0 else {
            return nil
        }
        let north = y <= 0 ? 90 : latitude(y)
        let south = y + height >= world ? -90 : latitude(y + height)
        return Region(
            west: x / world * 360 - 180,
            width: width / world * 360,
            south: min(90, max(-90, south)),
            north: min(90, max(-90, north))
        )
    }
}

extension Region {
    /// Creates the region that begins at a meridian, given on any turn of the Earth, and extends eastward by degrees.
    ///
    /// - Returns: `nil` if a number isn't finite, the width is negative, or south lies north of north.
    fileprivate init?(west: Double, width: Double, south: Double, north: Double) {
        guard west.isFinite, width >= 0 else { return nil }
        guard width < 360 else {
            self.init(west: -180, south: south, east: 180, north: north)
            return
        }
        let folded = west.remainder(dividingBy: 360)
        let start = folded == 180 ? -180 : folded
        let end = start + width
        self.init(west: start, south: south, east: end > 180 ? end - 360 : end, north: north)
    }
}
