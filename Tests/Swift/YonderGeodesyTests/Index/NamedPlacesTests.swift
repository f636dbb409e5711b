import Testing
import YonderGeodesy

/// Where indexes go wrong, by name.
@Suite struct NamedPlacesTests {
    private struct Place {
        let id: UInt32
        let latitude: Double
        let longitude: Double
    }

    private static let nullIsland = Place(id: 0, latitude: 0, longitude: 0)
    private static let greenwich = Place(id: 1, latitude: 51.4779, longitude: 0)
    private static let quito = Place(id: 2, latitude: 0, longitude: -78.4558)
    private static let northPole = Place(id: 3, latitude: 90, longitude: 12)
    private static let southPole = Place(id: 4, latitude: -90, longitude: -170)
    private static let taveuni = Place(id: 5, latitude: -16.8, longitude: 180)
    private static let waiyevo = Place(id: 6, latitude: -16.79, longitude: 179.98)
    private static let beyond = Place(id: 7, latitude: -16.81, longitude: -179.98)
    private static let alert = Place(id: 8, latitude: 82.5, longitude: -62.3)
    private static let nord = Place(id: 9, latitude: 81.6, longitude: 117.7)

    private static let all = [
        nullIsland, greenwich, quito, northPole, southPole, taveuni, waiyevo, beyond, alert, nord,
    ]

    private let snapshot: PointSnapshot

    init() throws {
        var index = PointIndex()
        for place in Self.all {
            let coordinate = try #require(Coordinate(latitude: place.latitude, longitude: place.longitude))
            index.insert(place.id, at: coordinate.rounded)
        }
        snapshot = index.snapshot()
    }

    @Test(arguments: [
        // west, south, east, north, names
        (-180.0, -90.0, 180.0, 90.0, Array(all.indices)),
        (0, -90, 0, 90, [0, 1]), (-180, 0, 180, 0, [0, 2]), (0, 0, 0, 0, [0]), (-1, -1, 0, 0, [0]),
        (0, 0, 1, 1, [0]),
        (-10, 51, 0, 52, [1]), (0, 51, 10, 52, [1]),
        (179, -20, -179, -10, [5, 6, 7]), (179, -20, 180, -10, [5, 6]), (-180, -20, -179, -10, [5, 7]),
        (180, -90, 180, 90, [5]), (-180, -90, -180, 90, [5]), (180, -20, -180, -10, [5]),
        (179.98, -16.79, 179.98, -16.79, [6]), (179.99, -20, -179.99, -10, [5]), (170, 0, -170, 10, []),
        (-180, 90, 180, 90, [3]), (0, 80, 20, 90, [3]), (13, 80, 20, 90, []), (-180, -90, 180, -90, [4]),
        (160, -90, -160, -80, [4]), (-180, 80, 180, 90, [3, 8, 9]), (100, 80, -60, 90, [8, 9]),
    ])
    func `a region has the places on its edges`(
        west: Double,
        south: Double,
        east: Double,
        north: Double,
        names: [Int]
    ) throws {
        let region = try #require(Region(west: west, south: south, east: east, north: north))
        let selection = snapshot.index.region(region, limit: 100)
        #expect(selection.ids.sorted() == names.map(UInt32.init))
        #expect(selection.total == names.count)
    }

    @Test(arguments: [
        // from, and who is nearest from there
        (-16.8, 179.999, [5, 6, 7]), (-16.8, -179.999, [5, 7, 6]), (89.9, -168, [3, 8, 9]),
        (90, 0, [3, 8, 9]),
        (-89, 10, [4]), (0.1, 0.1, [0]), (51, -0.1, [1]), (83, 170, [9, 3]), (0, -78, [2]), (0, 180, [6, 5]),
    ])
    func `the nearest are found around poles and across meridians`(
        latitude: Double,
        longitude: Double,
        names: [UInt32]
    ) throws {
        let center = try #require(Coordinate(latitude: latitude, longitude: longitude))
        #expect(snapshot.index.nearest(names.count, to: center).map(\.id) == names)
        let everything = snapshot.index.nearest(100, to: center)
        #expect(everything.count == Self.all.count)
        #expect(everything.map(\.distance.meters) == everything.map(\.distance.meters).sorted())
        for neighbor in everything {
            let found = snapshot.index.coordinate(of: neighbor.id)
            let place = try #require(found)
            let own = center.distance(to: Coordinate(place))
            #expect((own - neighbor.distance).magnitude < .meters(0.1), "\(neighbor.id)")
        }
    }

    @Test func `a place exactly at the reach is within it`() throws {
        let center = try #require(Coordinate(latitude: 0, longitude: 1))
        let first = snapshot.index.nearest(1, to: center).first
        let distance = try #require(first?.distance)
        #expect(snapshot.index.nearest(5, to: center, within: distance).map(\.id) == [0])
        #expect(snapshot.index.nearest(5, to: center, within: distance - .meters(0.001)) == [])
        #expect(snapshot.index.nearest(5, to: center, within: .meters(-1)) == [])
        #expect(snapshot.index.nearest(-1, to: center) == [])
    }

    @Test func `equally far ones come by name`() throws {
        var index = PointIndex()
        for (id, longitude) in [(4, 179.9), (2, -179.9), (9, 180), (1, 179.9)] {
            let place = try #require(Coordinate(latitude: 0, longitude: longitude))
            index.insert(UInt32(id), at: place.rounded)
        }
        let center = try #require(Coordinate(latitude: 0, longitude: 180))
        #expect(index.nearest(4, to: center).map(\.id) == [9, 1, 2, 4])
        #expect(index.nearest(2, to: center).map(\.id) == [9, 1])
    }
}
