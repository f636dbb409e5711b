/// The part of the Earth between two meridians and two parallels, its edges included.
///
/// Four numbers, not two coordinates: west and east are in `-180...180` and unfolded. West equal to east is
/// that meridian alone, −180 to 180 is every longitude, and a west greater than east crosses the
/// antimeridian. A point on the antimeridian is inside every region that touches 180 or −180. Edges are
/// rounded to 10⁻⁷ degrees, and all comparisons are between those integers. A pole has no special treatment:
/// it is inside if its longitude is.
///
/// Requests, frames and map views make one for each part of the map; `PointIndex` and the server's `RegionInterest` search by
/// it, and clients decide with it what is inside. Making one of invalid numbers returns `nil`, which a reader reports as
/// `invalidField`. Edges as integers of 10⁻⁷ degrees, and what *inside* means at an edge and at the antimeridian, must stay:
/// server, stores and clients must agree on every point (`RegionTests`, `PlacesFixtureTests`, `Documentation/maps.md`).
/// ``description`` is what clients send as a parameter.
///
/// How the parts are computed may change.
public struct Region: Hashable, Sendable {
    /// An edge in ten-millionths of a degree: ``Coordinate/Rounded`` in one dimension.
    public typealias Edge = Int32

    /// The western edge in 10⁻⁷ degrees, in `-1_800_000_000...1_800_000_000`.
    public let westEdge: Edge

    /// The southern edge in 10⁻⁷ degrees, in `-900_000_000...900_000_000`.
    public let southEdge: Edge

    /// The eastern edge in 10⁻⁷ degrees, in `-1_800_000_000...1_800_000_000`.
    public let eastEdge: Edge

    /// The northern edge in 10⁻⁷ degrees, in `-900_000_000...900_000_000`.
    public let northEdge: Edge

    /// Creates a region from its edges in degrees.
    ///
    /// - Returns: `nil` if west or east lies outside `-180...180`, south or north outside `-90...90`, or
    ///   south is greater than north.
    public init?(west: Double, south: Double, east: Double, north: Double) {
        guard
            (-180...180).contains(west), (-180...180).contains(east),
            (-90...90).contains(south), (-90...90).contains(north), south <= north
        else { return nil }
        self.init(
            validWest: Coordinate.round(west),
            south: Coordinate.round(south),
            east: Coordinate.round(east),
            north: Coordinate.round(north)
        )
    }

    /// Creates a region from its edges in 10⁻⁷ degrees.
    ///
    /// - Returns: `nil` if an edge is out of range or south is greater than north.
    public init?(westEdge: Edge, southEdge: Edge, eastEdge: Edge, northEdge: Edge) {
        let longitudes = -Self.antimeridian...Self.antimeridian
        let latitudes = -Self.pole...Self.pole
        guard
            longitudes.contains(westEdge), longitudes.contains(eastEdge),
            latitudes.contains(southEdge), latitudes.contains(northEdge), southEdge <= northEdge
        else { return nil }
        self.init(validWest: westEdge, south: southEdge, east: eastEdge, north: northEdge)
    }

    init(validWest west: Edge, south: Edge, east: Edge, north: Edge) {
        westEdge = west
        southEdge = south
        eastEdge = east
        northEdge = north
    }

    /// The whole Earth.
    public static let everywhere = Region(
        validWest: -antimeridian,
        south: -pole,
        east: antimeridian,
        north: pole
    )

    static let antimeridian: Edge = 1_800_000_000
    static let pole: Edge = 900_000_000
}

extension Region {
    /// The western edge in degrees, in `-180...180`.
    public var west: Double { Double(westEdge) / Coordinate.roundedUnitsPerDegree }

    /// The southern edge in degrees, in `-90...90`.
    public var south: Double { Double(southEdge) / Coordinate.roundedUnitsPerDegree }

    /// The eastern edge in degrees, in `-180...180`.
    public var east: Double { Double(eastEdge) / Coordinate.roundedUnitsPerDegree }

    /// The northern edge in degrees, in `-90...90`.
    public var north: Double { Double(northEdge) / Coordinate.roundedUnitsPerDegree }

    /// Whether the region lies on both sides of the antimeridian: its west is greater than its east.
    public var crossesAntimeridian: Bool { westEdge > eastEdge }

    /// The point halfway between the edges.
    public var center: Coordinate {
        Coordinate(
            computedLatitude: (south + north) / 2,
            longitude: crossesAntimeridian ? (west + east) / 2 + 180 : (west + east) / 2
        )
    }

    /// Whether a point of the antimeridian can be inside.
    private var touchesAntimeridian: Bool {
        crossesAntimeridian || westEdge == -Self.antimeridian || eastEdge == Self.antimeridian
    }

    /// Whether a coordinate, once rounded, is inside or on an edge.
    public func contains(_ coordinate: Coordinate) -> Bool {
        contains(coordinate.rounded)
    }

    /// Whether a rounded coordinate is inside or on an edge.
    public func contains(_ point: Coordinate.Rounded) -> Bool {
        guard southEdge <= point.latitude, point.latitude <= northEdge else { return false }
        if point.longitude == -Self.antimeridian { return touchesAntimeridian }
        return crossesAntimeridian
            ? westEdge <= point.longitude || point.longitude <= eastEdge
            : westEdge <= point.longitude && point.longitude <= eastEdge
    }

    /// Whether the two regions have a point in common; a shared edge or corner is enough.
    public func intersects(_ other: Region) -> Bool {
        guard southEdge <= other.northEdge, other.southEdge <= northEdge else { return false }
        if touchesAntimeridian, other.touchesAntimeridian { return true }
        switch (crossesAntimeridian, other.crossesAntimeridian) {
        case (false, false): return westEdge <= other.eastEdge && other.westEdge <= eastEdge
        case (true, true): return true
        case (true, false): return westEdge <= other.eastEdge || other.westEdge <= eastEdge
        case (false, true): return other.westEdge <= eastEdge || westEdge <= other.eastEdge
        }
    }

    /// The region split into one or two regions that don't cross the antimeridian.
    ///
    /// A rounded coordinate, its longitude folded into −180..<180, is inside the region exactly if its
    /// numbers lie between the edges of one of these; no further knowledge of the antimeridian is needed.
    public var parts: [Region] {
        if westEdge == -Self.antimeridian, eastEdge == Self.antimeridian { return [self] }
        let wrapsTo = crossesAntimeridian ? eastEdge : -Self.antimeridian
        let beyond = Region(validWest: -Self.antimeridian, south: southEdge, east: wrapsTo, north: northEdge)
        if westEdge == Self.antimeridian { return [beyond] }
        guard crossesAntimeridian || eastEdge == Self.antimeridian else { return [self] }
        let before = Region(validWest: westEdge, south: southEdge, east: Self.antimeridian, north: northEdge)
        return [before, beyond]
    }
}

extension Region: CustomStringConvertible {
    /// West, south, east and north in degrees, joined by commas.
    public var description: String {
        "\(west),\(south),\(east),\(north)"
    }
}
