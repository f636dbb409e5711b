import RealModule

// `ChatMapModel` and `PositionPicture` of the app models fit a region around pins; ``init(around:radius:)`` and ``union(_:)``
// are for other apps. Only an empty list gives `nil`. Every given point must be inside the result, also after rounding; the
// two units of `roundUp` are for that, and may be more. That the narrower region is chosen at the antimeridian must stay
// (`RegionTests`).
extension Region {
    /// Creates the smallest region that contains all of some coordinates.
    ///
    /// The region crosses the antimeridian if that makes it narrower.
    ///
    /// - Complexity: A sort of the longitudes.
    ///
    /// - Returns: `nil` if there are no coordinates.
    public init?(fitting coordinates: some Sequence<Coordinate>) {
        let points = coordinates.map(\.rounded)
        let latitudes = points.map(\.latitude)
        guard let south = latitudes.min(), let north = latitudes.max() else { return nil }
        let longitudes = points.map { Int64($0.longitude) }.sorted()

        // The region is the circle without the widest gap between neighbors. Initially that is the gap across
        // the antimeridian.
        var (west, east) = (longitudes[0], longitudes[longitudes.count - 1])
        var widest = west + Self.circle - east
        for (before, after) in zip(longitudes, longitudes.dropFirst()) where after - before > widest {
            widest = after - before
            (west, east) = (after, before + Self.circle)
        }
        self.init(from: west, width: east - west, south: south, north: north)
    }

    /// Creates the smallest region that contains every point within a distance of a coordinate, up to 10⁻⁷
    /// degrees.
    ///
    /// Around a pole it has every longitude. A negative radius counts as zero.
    ///
    /// The extent in longitude is asin(sin r / cos φ), where the meridians touch the circle.
    public init(around center: Coordinate, radius: Distance) {
        let arc = max(0, radius / Coordinate.earthRadius)
        let latitude = Int64(Coordinate.round(center.latitude))
        let height = Self.roundUp(min(arc, .pi))
        let south = latitude - height
        let north = latitude + height
        let (isBelowNorth, isAboveSouth) = (north < Int64(Self.pole), south > -Int64(Self.pole))
        var halfWidth = Self.circle
        if isBelowNorth, isAboveSouth {
            halfWidth = Self.roundUp(.asin(min(1, .sin(arc) / .cos(center.latitude / 180 * .pi))))
        }
        self.init(
            from: Int64(Coordinate.round(center.longitude)) - halfWidth,
            width: 2 * halfWidth,
            south: isAboveSouth ? Edge(south) : -Self.pole,
            north: isBelowNorth ? Edge(north) : Self.pole
        )
    }

    /// The smallest region that contains both.
    public func union(_ other: Region) -> Region {
        let south = min(southEdge, other.southEdge)
        let north = max(northEdge, other.northEdge)
        // The union begins where one of the two begins, and extends to the farther end.
        let candidates = [(self, other), (other, self)].map { first, second in
            let start = Int64(first.westEdge)
            let gap = Self.remainder(Int64(second.westEdge) - start)
            let width = max(first.width, gap + second.width)
            return Region(from: start, width: width, south: south, north: north)
        }
        return candidates[1].width < candidates[0].width ? candidates[1] : candidates[0]
    }

    static let circle: Int64 = 3_600_000_000

    /// The extent eastward from west to east, in `0...circle`.
    var width: Int64 {
        Int64(eastEdge) - Int64(westEdge) + (crossesAntimeridian ? Self.circle : 0)
    }

    /// Creates the region that begins at a meridian, given on any turn, and extends eastward by a width.
    init(from west: Int64, width: Int64, south: Edge, north: Edge) {
        guard width < Self.circle else {
            self.init(validWest: -Self.antimeridian, south: south, east: Self.antimeridian, north: north)
            return
        }
        let antimeridian = Int64(Self.antimeridian)
        let foldedWest = Self.remainder(west + antimeridian) - antimeridian
        let east = foldedWest + width
        let foldedEast = east > antimeridian ? east - Self.circle : east
        self.init(validWest: Edge(foldedWest), south: south, east: Edge(foldedEast), north: north)
    }

    static func remainder(_ edge: Int64) -> Int64 {
        let remainder = edge % circle
        return remainder < 0 ? remainder + circle : remainder
    }

    /// An arc in 10⁻⁷ degrees, plus two for earlier rounding errors.
    private static func roundUp(_ radians: Double) -> Int64 {
        Int64((radians / .pi * 180 * Coordinate.roundedUnitsPerDegree).rounded(.up)) + 2
    }
}
