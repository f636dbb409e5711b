import Testing
import TestSupport
import YonderGeodesy

@Suite struct PolylineTests {
    @Test func `a line is as long as its legs`() throws {
        let corners = try [(0.0, 0.0), (0, 1), (1, 1)].map {
            try #require(Coordinate(latitude: $0.0, longitude: $0.1))
        }
        let length = corners[0].distance(to: corners[1]) + corners[1].distance(to: corners[2])
        #expect(Polyline(corners).length == length)
        #expect(Polyline(Array(corners.prefix(1))).length == .zero)
        #expect(Polyline().length == .zero)
    }

    @Test func `a straight line keeps its ends, also across the antimeridian and over the pole`() throws {
        for (latitude, bearing) in [(0.0, 90.0), (10, 60), (89.5, 0), (60, 90)] {
            let start = try #require(Coordinate(latitude: latitude, longitude: 179.9))
            let line = Polyline(
                (0...50).map {
                    start.destination(bearing: .degrees(bearing), distance: .kilometers(Double($0) * 4))
                }
            )
            #expect(line.keptIndices(tolerance: .meters(0.001)) == [0, 50], "\(latitude) \(bearing)")
        }
    }

    @Test func `a corner is kept if it is farther than the tolerance`() throws {
        let start = try #require(Coordinate(latitude: 46, longitude: 14))
        let middle = start.destination(bearing: .east, distance: .kilometers(1))
        let aside = middle.destination(bearing: .north, distance: .meters(50))
        let end = start.destination(bearing: .east, distance: .kilometers(2))
        let line = Polyline([start, aside, end])
        #expect(line.keptIndices(tolerance: .meters(49)) == [0, 1, 2])
        #expect(line.simplified(tolerance: .meters(51)) == Polyline([start, end]))
    }

    @Test func `there and back keeps the turning point`() throws {
        let start = try #require(Coordinate(latitude: 46, longitude: 14))
        let far = start.destination(bearing: .east, distance: .kilometers(1))
        #expect(Polyline([start, far, start]).keptIndices(tolerance: .meters(10)) == [0, 1, 2])
        let beyond = start.destination(bearing: .west, distance: .kilometers(1))
        #expect(Polyline([start, beyond, far]).keptIndices(tolerance: .meters(10)) == [0, 1, 2])
    }

    @Test func `no coordinate left out is farther than the tolerance`() {
        for seed in UInt64(0)..<20 {
            var random = SeededGenerator(seed: seed)
            var here = Coordinate.random(using: &random)
            var coordinates = [here]
            for _ in 0..<120 {
                let bearing = Bearing.degrees(.random(in: 0..<360, using: &random))
                here = here.destination(
                    bearing: bearing,
                    distance: .meters(.random(in: 0...200, using: &random))
                )
                coordinates.append(here)
            }
            let tolerance = Distance.meters(.random(in: 1...300, using: &random))
            let kept = Polyline(coordinates).keptIndices(tolerance: tolerance)
            #expect(kept.first == 0 && kept.last == 120)

            for (from, to) in zip(kept, kept.dropFirst()) {
                for index in from..<to {
                    let nearest = (0...400).map { step in
                        coordinates[from].interpolated(to: coordinates[to], fraction: Double(step) / 400)
                            .distance(to: coordinates[index])
                    }.min()
                    #expect((nearest ?? .zero) <= tolerance + .meters(3), "seed \(seed) index \(index)")
                }
            }
        }
    }

    @Test func `a long line doesn't exhaust the stack`() throws {
        let coordinates = try (0..<20_000).map { index in
            let latitude: Double = index.isMultiple(of: 2) ? 1 : -1
            return try #require(Coordinate(latitude: latitude, longitude: Double(index) / 1000))
        }
        #expect(Polyline(coordinates).keptIndices(tolerance: .kilometers(500)).count == 2)
        #expect(Polyline(Array(coordinates.prefix(2000))).keptIndices(tolerance: .zero).count == 2000)
    }
}

@Suite struct PolygonTests {
    private func polygon(_ vertices: [(Double, Double)]) throws -> Polygon? {
        Polygon(vertices: try vertices.map { try #require(Coordinate(latitude: $0.0, longitude: $0.1)) })
    }

    @Test func `a square contains its inside, edges and corners`() throws {
        let square = try #require(try polygon([(0, 0), (0, 10), (10, 10), (10, 0)]))
        for (latitude, longitude) in [(5.0, 5.0), (0, 0), (10, 10), (0, 5), (5, 0), (10, 3), (3, 10)] {
            #expect(square.contains(try #require(Coordinate(latitude: latitude, longitude: longitude))))
        }
        for (latitude, longitude) in [(-1.0, 5.0), (11, 5), (5, -1), (5, 11), (-1, 0), (11, 10), (5, -175)] {
            #expect(!square.contains(try #require(Coordinate(latitude: latitude, longitude: longitude))))
        }
    }

    @Test func `a polygon across the antimeridian contains what lies there`() throws {
        let fiji = try #require(try polygon([(-20, 177), (-20, -178), (-15, -178), (-15, 177), (-20, 177)]))
        #expect(fiji.vertices.count == 4)
        for longitude in [177.0, 179, 180, -180, -179, -178] {
            #expect(
                fiji.contains(try #require(Coordinate(latitude: -17, longitude: longitude))),
                "\(longitude)"
            )
        }
        for longitude in [176.0, -177, 0] {
            #expect(
                !fiji.contains(try #require(Coordinate(latitude: -17, longitude: longitude))),
                "\(longitude)"
            )
        }
    }

    @Test func `a concave polygon leaves out its bay`() throws {
        let shape = try #require(try polygon([(0, 0), (0, 10), (10, 10), (2, 5), (10, 0)]))
        #expect(!shape.contains(try #require(Coordinate(latitude: 6, longitude: 5))))
        #expect(shape.contains(try #require(Coordinate(latitude: 1, longitude: 5))))
        #expect(shape.contains(try #require(Coordinate(latitude: 6, longitude: 1))))
    }

    @Test func `too few corners and a line around a pole are refused`() throws {
        #expect(try polygon([(0, 0), (1, 1)]) == nil)
        #expect(try polygon([(0, 0), (1, 1), (0, 0)]) == nil)
        #expect(try polygon([(80, 0), (80, 90), (80, 179), (80, -90)]) == nil)
    }

    @Test func `a rectangle agrees with the region`() throws {
        var random = SeededGenerator(seed: 30)
        for _ in 0..<300 {
            let (a, b) = (Coordinate.random(using: &random), Coordinate.random(using: &random))
            let region = try #require(Region(fitting: [a, b]))
            guard region.west != region.east, region.south != region.north else { continue }
            let width = (region.east - region.west).remainder(dividingBy: 360)
            guard width > 1, width < 179 else { continue }
            let corners = [
                (region.south, region.west), (region.south, region.east),
                (region.north, region.east), (region.north, region.west),
            ]
            let rectangle = try #require(try polygon(corners))
            for _ in 0..<50 {
                let point = Coordinate(Coordinate.random(using: &random).rounded)
                #expect(rectangle.contains(point) == region.contains(point), "\(region) \(point)")
            }
        }
    }
}
