import TestSupport
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderGeocoding

@Suite struct GazetteerReverseTests {
    @Test(arguments: [(2_000, UInt64(1)), (300, 2), (12, 3), (1, 4)])
    func `the nearest are those that looking at each finds, everywhere on Earth`(count: Int, seed: UInt64)
        async throws
    {
        let folder = TemporaryFolder()
        let path = try folder.made() + "/places.sqlite"
        let places = ScatteredPlaces(count: count, seed: seed)
        try places.write(to: path)
        let gazetteer = try Gazetteer.open(path: path)

        var random = SeededGenerator(seed: seed + 100)
        for _ in 0..<200 {
            let here = try #require(Coordinate.scattered(using: &random))
            let limit = Int.random(in: 1...5, using: &random)
            let found = try await gazetteer.reverse(try ReverseGeocodingQuery(here, limit: limit))
            #expect(found.map(\.distance) == places.nearest(limit, to: here), "near \(here)")
        }
    }

    @Test func `across the antimeridian is near`() async throws {
        let gazetteer = try shippedGazetteer()
        let west = try #require(Coordinate(latitude: -17, longitude: 179.99))
        let east = try #require(Coordinate(latitude: -17, longitude: -179.99))
        let found = try await [west, east].asyncMap { here in
            try await gazetteer.reverse(try ReverseGeocodingQuery(here))[0]
        }
        #expect(found[0].candidate == found[1].candidate && found[0].candidate.address.countryCode == "FJ")
        #expect(found.allSatisfy { $0.distance < .kilometers(250) })
    }

    @Test func `at a pole it doesn't matter which longitude one says`() async throws {
        let gazetteer = try shippedGazetteer()
        for latitude in [90.0, -90] {
            let found = try await [-180, -77.5, 0, 123.25, 179.99].asyncMap { longitude in
                let here = try #require(Coordinate(latitude: latitude, longitude: longitude))
                return try await gazetteer.reverse(try ReverseGeocodingQuery(here))[0].candidate.name
            }
            #expect(Set(found).count == 1, "\(found)")
        }
    }

    @Test func `in the middle of an ocean it is the nearest town, however far`() async throws {
        let nemo = try #require(Coordinate(latitude: -48.8767, longitude: -123.3933))
        let found = try await shippedGazetteer().reverse(try ReverseGeocodingQuery(nemo))
        #expect(found[0].distance > .kilometers(2_000))
    }

    @Test func `the runs of cells around a circle have none twice, and each that the circle touches`() throws
    {
        let angles: [Double] = [0.1, 0.5, 1.5, 13.5, 60, 121.5, 180]
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let center = try #require(Coordinate.scattered(using: &random))
            let angle = angles[Int.random(in: 0..<angles.count, using: &random)]
            let runs = GazetteerBox(around: center, angle: angle).cells
            let sorted = runs.sorted { $0.lowerBound < $1.lowerBound }
            #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })

            let radius = Coordinate.earthRadius * (angle / 180 * .pi)
            let bearing = Bearing.degrees(.random(in: 0..<360, using: &random))
            let way = radius * Double.random(in: 0...1, using: &random)
            let edge = center.destination(bearing: bearing, distance: way)
            let row = min(Int64((edge.latitude + 90) * 2), 359)
            let cell = row * 720 + Int64((edge.longitude + 180) * 2) % 720
            #expect(runs.contains { $0.contains(cell) }, "\(center), \(angle)°, \(edge)")
        }
    }
}

extension Array {
    /// What `body` makes of each, one after the other.
    func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
