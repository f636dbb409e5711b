import Foundation
import Testing
import TestSupport
import YonderGeodesy

@Suite struct GreatCircleTests {
    // From C. Veness, *Calculate distance, bearing and more between Latitude/Longitude points*.
    @Test func `Land's End to John o' Groats is as published`() throws {
        let start = try #require(Coordinate(latitude: 50.066389, longitude: -5.714722))
        let end = try #require(Coordinate(latitude: 58.643889, longitude: -3.07))
        #expect((start.distance(to: end).kilometers - 968.9).magnitude < 0.1)
        #expect((start.initialBearing(to: end).degrees - 9.1198).magnitude < 0.001)
        let middle = start.interpolated(to: end, fraction: 0.5)
        #expect((middle.latitude - 54.3622).magnitude < 0.0002)
        #expect((middle.longitude - -4.5306).magnitude < 0.0002)
    }

    @Test func `a destination is as published`() throws {
        let start = try #require(Coordinate(latitude: 53.320556, longitude: -1.729722))
        let end = start.destination(bearing: .degrees(96.021667), distance: .kilometers(124.8))
        #expect((end.latitude - 53.188333).magnitude < 0.0003)
        #expect((end.longitude - 0.133333).magnitude < 0.0003)
    }

    @Test func `New York to London is within the error bound`() throws {
        let kennedy = try #require(Coordinate(latitude: 40.639722, longitude: -73.778889))
        let heathrow = try #require(Coordinate(latitude: 51.4775, longitude: -0.461389))
        let distance = kennedy.distance(to: heathrow)
        #expect((distance.kilometers - 5554).magnitude < 5554 * 0.0056)
        #expect((distance.kilometers - 5540).magnitude < 1)
        #expect((Ellipsoid.distance(kennedy, heathrow).map { $0 / 1000 } ?? 0) > 5550)
    }

    @Test func `no distance is farther from the ellipsoid's than 0.56 percent`() {
        var random = SeededGenerator(seed: 3)
        var compared = 0
        for _ in 0..<5000 {
            let (a, b) = (Coordinate.random(using: &random), Coordinate.random(using: &random))
            guard let exact = Ellipsoid.distance(a, b), exact > 1 else { continue }
            compared += 1
            let error = (a.distance(to: b).meters - exact) / exact
            #expect(error > -0.0045 && error < 0.0057, "\(a) to \(b): \(error)")
        }
        #expect(compared > 4000)
    }

    @Test func `a destination lies at the distance and in the direction asked for`() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<5000 {
            let start = Coordinate.random(using: &random)
            let distance = Distance.meters(.random(in: 1...19_000_000, using: &random))
            let bearing = Bearing.degrees(.random(in: 0..<360, using: &random))
            let end = start.destination(bearing: bearing, distance: distance)
            #expect(
                (start.distance(to: end) - distance).magnitude < .meters(0.01),
                "\(start) \(bearing) \(distance)"
            )

            guard start.latitude.magnitude < 89.9, distance.kilometers < 19_000 else { continue }
            let turn = (start.initialBearing(to: end).degrees - bearing.degrees).remainder(dividingBy: 360)
            #expect(turn.magnitude < 1e-6, "\(start) \(bearing) \(distance)")
        }
    }

    @Test func `distance is symmetric, zero to itself and never above half the circumference`() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let (a, b) = (Coordinate.random(using: &random), Coordinate.random(using: &random))
            #expect(a.distance(to: a) == .zero)
            #expect((a.distance(to: b) - b.distance(to: a)).magnitude < .meters(1e-6))
            #expect(a.distance(to: b).meters <= 6_371_008.8 * .pi * (1 + 1e-12))
        }
    }

    @Test func `the poles and the antimeridian are ordinary`() throws {
        let north = try #require(Coordinate(latitude: 90, longitude: 17))
        let otherNorth = try #require(Coordinate(latitude: 90, longitude: -100))
        let south = try #require(Coordinate(latitude: -90, longitude: 0))
        #expect(north.distance(to: otherNorth) < .meters(1e-6))
        #expect((north.distance(to: south).kilometers - 20_015.115).magnitude < 0.001)

        let west = try #require(Coordinate(latitude: 0, longitude: 179.9))
        let east = try #require(Coordinate(latitude: 0, longitude: -179.9))
        #expect((west.distance(to: east).kilometers - 22.239).magnitude < 0.001)
        #expect((west.initialBearing(to: east).degrees - 90).magnitude < 1e-9)
        #expect(west.interpolated(to: east, fraction: 0.5).longitude.magnitude > 179.999999)

        let over = try #require(Coordinate(latitude: 89, longitude: 20))
            .destination(bearing: .north, distance: .meters(6_371_008.8 * .pi / 90))
        #expect((over.latitude - 89).magnitude < 1e-9)
        #expect((over.longitude - -160).magnitude < 1e-9)
    }

    @Test func `interpolation divides the way`() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2000 {
            let (a, b) = (Coordinate.random(using: &random), Coordinate.random(using: &random))
            let fraction = Double.random(in: 0...1, using: &random)
            let between = a.interpolated(to: b, fraction: fraction)
            let way = a.distance(to: between) + between.distance(to: b)
            #expect((way - a.distance(to: b)).magnitude < .meters(2), "\(a) \(b) \(fraction)")
            #expect(a.interpolated(to: b, fraction: 0) == a)
            #expect(a.interpolated(to: b, fraction: 1) == b)
        }
    }
}

/// Distances on WGS 84.
///
/// By T. Vincenty, *Direct and Inverse Solutions of Geodesics on the Ellipsoid* (1975).
private enum Ellipsoid {
    /// The distance in meters, or `nil` where the iteration doesn't converge: near antipodes.
    static func distance(_ from: Coordinate, _ to: Coordinate) -> Double? {
        let (a, f) = (6_378_137.0, 1 / 298.257223563)
        let b = a * (1 - f)
        let l = (to.longitude - from.longitude).remainder(dividingBy: 360) * .pi / 180
        let u1 = atan((1 - f) * tan(from.latitude * .pi / 180))
        let u2 = atan((1 - f) * tan(to.latitude * .pi / 180))
        var lambda = l
        for _ in 0..<200 {
            let x = cos(u2) * sin(lambda)
            let y = cos(u1) * sin(u2) - sin(u1) * cos(u2) * cos(lambda)
            let sinSigma = (x * x + y * y).squareRoot()
            guard sinSigma > 0 else { return nil }
            let cosSigma = sin(u1) * sin(u2) + cos(u1) * cos(u2) * cos(lambda)
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cos(u1) * cos(u2) * sin(lambda) / sinSigma
            let cos2Alpha = 1 - sinAlpha * sinAlpha
            let cosM = cos2Alpha > 1e-12 ? cosSigma - 2 * sin(u1) * sin(u2) / cos2Alpha : 0
            let c = f / 16 * cos2Alpha * (4 + f * (4 - 3 * cos2Alpha))
            let previous = lambda
            let inner = cosM + c * cosSigma * (-1 + 2 * cosM * cosM)
            lambda = l + (1 - c) * f * sinAlpha * (sigma + c * sinSigma * inner)
            guard abs(lambda) <= .pi else { return nil }
            guard abs(lambda - previous) < 1e-12 else { continue }

            let uu = cos2Alpha * (a * a - b * b) / (b * b)
            let bigA = 1 + uu / 16384 * (4096 + uu * (-768 + uu * (320 - 175 * uu)))
            let bigB = uu / 1024 * (256 + uu * (-128 + uu * (74 - 47 * uu)))
            let first = cosSigma * (-1 + 2 * cosM * cosM)
            let second = bigB / 6 * cosM * (-3 + 4 * sinSigma * sinSigma) * (-3 + 4 * cosM * cosM)
            return b * bigA * (sigma - bigB * sinSigma * (cosM + bigB / 4 * (first - second)))
        }
        return nil
    }
}
