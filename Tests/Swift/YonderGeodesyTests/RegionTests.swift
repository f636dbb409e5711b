import Testing
import TestSupport
import YonderGeodesy

@Suite struct RegionTests {
    @Test func `south greater than north and edges out of range are refused`() {
        #expect(Region(west: 0, south: 1, east: 0, north: 0) == nil)
        #expect(Region(west: -180.1, south: 0, east: 0, north: 0) == nil)
        #expect(Region(west: 0, south: 0, east: 180.1, north: 0) == nil)
        #expect(Region(west: 0, south: -90.1, east: 0, north: 0) == nil)
        #expect(Region(west: 0, south: 0, east: 0, north: 90.1) == nil)
        #expect(Region(west: .nan, south: 0, east: 0, north: 0) == nil)
        #expect(Region(westEdge: 0, southEdge: 1, eastEdge: 0, northEdge: 0) == nil)
        #expect(Region(westEdge: 1_800_000_001, southEdge: 0, eastEdge: 0, northEdge: 0) == nil)
    }

    @Test(arguments: [
        // west, east, longitude, inside
        (10.0, 20.0, 15.0, true), (10, 20, 10, true), (10, 20, 20, true), (10, 20, 20.0000001, false),
        (10, 10, 10, true), (10, 10, 10.0000001, false), (10, 10, 10.00000001, true),
        (-180, 180, 0, true), (-180, 180, 180, true), (-180, 180, -180, true),
        (170, -170, 175, true), (170, -170, -175, true), (170, -170, 180, true), (170, -170, 0, false),
        (170, 180, -180, true), (170, 180, 180, true), (170, 180, -179.9, false),
        (-180, -170, 180, true), (-180, -170, 179.9, false),
        (180, 180, -180, true), (-180, -180, 180, true), (180, -180, 180, true), (180, -180, 0, false),
        (180, -170, -175, true), (180, -170, 179, false), (10, -180, 180, true), (20, 10, 15, false),
    ])
    func `a longitude is inside as documented`(west: Double, east: Double, longitude: Double, isInside: Bool)
        throws
    {
        let region = try #require(Region(west: west, south: -1, east: east, north: 1))
        let point = try #require(Coordinate(latitude: 0, longitude: longitude))
        #expect(region.contains(point) == isInside)
        let outside = try #require(Coordinate(latitude: 1.0000001, longitude: longitude))
        #expect(!region.contains(outside))
    }

    @Test func `contains is: not farther east of west than east is`() {
        forRandomRegions(seed: 7) { region, random in
            for _ in 0..<8 {
                let point = random.point()
                let isBetween = region.southEdge <= point.latitude && point.latitude <= region.northEdge
                let expected = isBetween && Arc(region).contains(Int64(point.longitude))
                #expect(region.contains(point) == expected, "\(region) \(point)")
                let inParts = region.parts.contains {
                    $0.westEdge <= point.longitude && point.longitude <= $0.eastEdge
                        && $0.southEdge <= point.latitude && point.latitude <= $0.northEdge
                }
                #expect(inParts == expected, "parts of \(region) \(point)")
                #expect(region.parts.allSatisfy { !$0.crossesAntimeridian })
            }
        }
    }

    @Test func `two regions intersect if one begins inside the other`() {
        forRandomRegions(seed: 8) { region, random in
            let other = random.region()
            let overlaps = region.southEdge <= other.northEdge && other.southEdge <= region.northEdge
            let (arc, otherArc) = (Arc(region), Arc(other))
            let meets = arc.contains(otherArc.start) || otherArc.contains(arc.start)
            #expect(region.intersects(other) == (overlaps && meets), "\(region) \(other)")
            #expect(other.intersects(region) == (overlaps && meets), "\(region) \(other)")
        }
    }

    @Test func `a union contains both and is the narrowest that does`() {
        forRandomRegions(seed: 9) { region, random in
            let other = random.region()
            let union = region.union(other)
            let (arc, otherArc, whole) = (Arc(region), Arc(other), Arc(union))
            #expect(whole.contains(arc) && whole.contains(otherArc), "\(region) \(other) \(union)")
            let candidates = [arc.start, otherArc.start].flatMap { start in
                [arc, otherArc].map { Arc(start: start, width: Arc.remainder($0.start + $0.width - start)) }
            }
            let least = candidates.filter { $0.contains(arc) && $0.contains(otherArc) }.map(\.width).min()
            #expect(whole.width == least ?? Arc.circle, "\(region) \(other) \(union)")
            #expect(union.southEdge == min(region.southEdge, other.southEdge))
            #expect(union.northEdge == max(region.northEdge, other.northEdge))
        }
    }

    @Test func `fitting gives the narrowest region with all coordinates`() throws {
        var random = SeededGenerator(seed: 10)
        for seed in 0..<2000 {
            let coordinates = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                Coordinate.random(using: &random)
            }
            let region = try #require(Region(fitting: coordinates))
            #expect(coordinates.allSatisfy(region.contains), "round \(seed)")
            let longitudes = coordinates.map { Int64($0.rounded.longitude) }
            let least = longitudes.map { west in longitudes.map { Arc.remainder($0 - west) }.max() ?? 0 }
                .min()
            #expect(Arc(region).width == least, "round \(seed)")
        }
        #expect(Region(fitting: []) == nil)
    }

    @Test func `fitting across the antimeridian crosses it`() throws {
        let fiji = try #require(Coordinate(latitude: -17.8, longitude: 178))
        let samoa = try #require(Coordinate(latitude: -13.8, longitude: -172))
        let region = try #require(Region(fitting: [samoa, fiji]))
        #expect(region == Region(west: 178, south: -17.8, east: -172, north: -13.8))
        #expect(region.center == Coordinate(latitude: -15.8, longitude: -177))
        #expect(region.parts.count == 2)
    }

    @Test func `a region around a center has all within the radius and is tight`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            let center = Coordinate.random(using: &random)
            let radius = Distance.meters(.random(in: 0...10_000_000, using: &random))
            let region = Region(around: center, radius: radius)
            for _ in 0..<20 {
                let bearing = Bearing.degrees(.random(in: 0..<360, using: &random))
                let point = center.destination(bearing: bearing, distance: radius)
                #expect(region.contains(point), "\(center) \(radius) \(bearing)")
            }
            let beyond = center.destination(bearing: .north, distance: radius + .meters(1))
            if region.north < 90 { #expect(!region.contains(beyond)) }
        }
    }

    @Test func `everywhere has every point`() {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            #expect(Region.everywhere.contains(Coordinate.random(using: &random)))
        }
        #expect(Region.everywhere.parts == [.everywhere])
    }

    private func forRandomRegions(seed: UInt64, _ body: (Region, inout RandomEdges) -> Void) {
        var random = RandomEdges(generator: SeededGenerator(seed: seed))
        for _ in 0..<4000 {
            let region = random.region()
            body(region, &random)
        }
    }
}

/// Edges from few values, so that they coincide often.
private struct RandomEdges {
    var generator: SeededGenerator
    private let longitudes: [Int32] = [
        -1_800_000_000, -1_799_999_999, -900_000_000, -1, 0, 1, 900_000_000, 1_799_999_999, 1_800_000_000,
    ]
    private let latitudes: [Int32] = [-900_000_000, -1, 0, 1, 900_000_000]

    mutating func longitude() -> Int32 {
        longitudes.randomElement(using: &generator) ?? 0
    }

    mutating func latitude() -> Int32 {
        latitudes.randomElement(using: &generator) ?? 0
    }

    mutating func point() -> Coordinate.Rounded {
        while true {
            if let point = Coordinate.Rounded(latitude: latitude(), longitude: longitude()) { return point }
        }
    }

    mutating func region() -> Region {
        while true {
            let (south, north) = (latitude(), latitude())
            let region = Region(
                westEdge: longitude(),
                southEdge: south,
                eastEdge: longitude(),
                northEdge: north
            )
            if let region { return region }
        }
    }
}

/// A part of a circle of latitude, written otherwise than a region writes it.
private struct Arc {
    static let circle: Int64 = 3_600_000_000
    let start: Int64
    let width: Int64

    init(start: Int64, width: Int64) {
        self.start = start
        self.width = width
    }

    init(_ region: Region) {
        let difference = Int64(region.eastEdge) - Int64(region.westEdge)
        start = Int64(region.westEdge)
        width = difference == Self.circle ? difference : Self.remainder(difference)
    }

    func contains(_ longitude: Int64) -> Bool {
        Self.remainder(longitude - start) <= width
    }

    func contains(_ arc: Arc) -> Bool {
        width == Self.circle || Self.remainder(arc.start - start) + arc.width <= width
    }

    static func remainder(_ value: Int64) -> Int64 {
        ((value % circle) + circle) % circle
    }
}
