import Testing
import TestSupport
import YonderGeodesy

@Suite struct CoordinateTests {
    @Test(arguments: [
        (0.0, 0.0), (180, -180), (-180, -180), (181, -179), (-181, 179), (360, 0), (540, -180), (720.5, 0.5),
        ((-180.0).nextDown, 180.0.nextDown),
    ])
    func `a longitude is folded into -180..<180`(longitude: Double, folded: Double) throws {
        let coordinate = try #require(Coordinate(latitude: 1, longitude: longitude))
        #expect((coordinate.longitude - folded).magnitude < 1e-12)
        #expect((-180..<180).contains(coordinate.longitude))
    }

    @Test func `folding keeps every longitude in range and every point in place`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let longitude = Double.random(in: -179...179, using: &random)
            let turns = Double(Int.random(in: -3...3, using: &random))
            let folded = try #require(Coordinate(latitude: 0, longitude: longitude + 360 * turns))
            #expect((-180..<180).contains(folded.longitude))
            #expect((folded.longitude - longitude).magnitude < 1e-12)
        }
    }

    @Test(arguments: [
        (90.0.nextUp, 0.0), ((-90.0).nextDown, 0), (.nan, 0), (.infinity, 0), (0, .nan), (0, .infinity),
        (0, -.infinity),
    ])
    func `a latitude beyond the poles is no coordinate`(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }

    @Test func `a rounded coordinate is within half a unit and rounds to itself`() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<5000 {
            let coordinate = Coordinate.random(using: &random)
            let rounded = coordinate.rounded
            let back = Coordinate(rounded)
            #expect(back.rounded == rounded)
            #expect((back.latitude - coordinate.latitude).magnitude <= 0.51e-7)
            #expect(Coordinate.Rounded(latitude: rounded.latitude, longitude: rounded.longitude) == rounded)
        }
    }

    @Test func `a longitude that rounds up to the antimeridian is on it`() throws {
        let coordinate = try #require(Coordinate(latitude: 0, longitude: 179.99999999))
        #expect(coordinate.rounded.longitude == -1_800_000_000)
        #expect(Coordinate.Rounded(latitude: 0, longitude: 1_800_000_000)?.longitude == -1_800_000_000)
        #expect(Coordinate.Rounded(latitude: 900_000_001, longitude: 0) == nil)
        #expect(Coordinate.Rounded(latitude: 0, longitude: -1_800_000_001) == nil)
    }

    @Test func `units are said where numbers enter`() {
        #expect(Distance.kilometers(1.5).meters == 1500)
        #expect(Distance.kilometers(1) + .meters(500) == .kilometers(1.5))
        #expect(Distance(meters: .nan) == nil)
        #expect(Distance.meters(.greatestFiniteMagnitude) * 2 == .meters(.greatestFiniteMagnitude))
        #expect(Speed.kilometersPerHour(36).metersPerSecond == 10)
        #expect(Speed(metersPerSecond: -1) == nil)
        #expect(Bearing.degrees(-90) == .west)
        #expect(Bearing.degrees(-0.0).degrees.sign == .plus)
        #expect(Bearing.degrees(-1e-300) == .north)
        #expect(Bearing.degrees(1e300).degrees < 360)
        #expect(Bearing(degrees: .infinity) == nil)
    }

    @Test func `a position without an accuracy has none`() throws {
        let position = Position(
            coordinate: try #require(Coordinate(latitude: 1, longitude: 2)),
            timestamp: Timestamp(milliseconds: 0),
            altitude: .meters(-3),
            horizontalAccuracy: .meters(-1),
            verticalAccuracy: .meters(0)
        )
        #expect(position.altitude == .meters(-3))
        #expect(position.horizontalAccuracy == nil)
        #expect(position.verticalAccuracy == .zero)
    }
}
