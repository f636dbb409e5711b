import Foundation
import Testing
import YonderGeodesy

@testable import YonderMap

/// Regions of windows on Mercator's map, of a world 1000 wide.
@Suite struct MapWindowTests {
    private let world = 1_000.0

    private func y(of latitude: Double) -> Double {
        (1 - log(tan(.pi / 4 + latitude / 360 * .pi)) / .pi) / 2 * world
    }

    private func latitude(of y: Double) -> Double {
        (2 * atan(exp((1 - 2 * y / world) * .pi)) - .pi / 2) / .pi * 180
    }

    private func seen(x: Double, width: Double, y: Double = 400, height: Double = 100) -> Region? {
        MapWindow(x: x, y: y, width: width, height: height, world: world).region(latitude: latitude)
    }

    @Test func `a window has the longitudes of its edges, and latitudes of the projection`() throws {
        let region = try #require(seen(x: 500, width: 100))
        #expect(region.west == 0)
        #expect(region.east == 36)
        #expect(region.south == 0)
        #expect(abs(region.north - latitude(of: 400)) < 1e-6)
    }

    @Test(arguments: [-50.0, 950, 1_950])
    func `a window across the antimeridian has a west greater than its east, on whichever turn it lies`(
        x: Double
    ) throws {
        let region = try #require(seen(x: x, width: 100))
        #expect(region.crossesAntimeridian)
        #expect(region.west == 162)
        #expect(region.east == -162)
        #expect(region.contains(place(10, 179)) && region.contains(place(10, -179)))
        #expect(!region.contains(place(10, 0)))
    }

    @Test func `a window that ends or begins at the antimeridian doesn't cross it`() throws {
        #expect(try #require(seen(x: 900, width: 100)).east == 180)
        let begins = try #require(seen(x: 1_000, width: 100))
        #expect(begins.west == -180)
        #expect(begins.east == -144)
    }

    @Test func `a window as wide as the world or wider has every longitude`() throws {
        for width in [1_000.0, 1_700] {
            let region = try #require(seen(x: 300, width: width))
            #expect(region.west == -180 && region.east == 180)
        }
    }

    @Test func `a window that reaches an edge of the map reaches the pole`() throws {
        let all = try #require(seen(x: 0, width: 1_000, y: 0, height: 1_000))
        #expect(all == .everywhere)
        let beyond = try #require(seen(x: 0, width: 100, y: -200, height: 300))
        #expect(beyond.north == 90)
        #expect(try #require(seen(x: 0, width: 100, y: 900, height: 300)).south == -90)
    }

    @Test(arguments: [Double.nan, .infinity, -1])
    func `a window without a size or a place has no region`(number: Double) {
        #expect(seen(x: 0, width: number) == nil)
        #expect(seen(x: 0, width: 10, height: number) == nil)
        if !number.isFinite { #expect(seen(x: number, width: 10) == nil) }
    }

    @Test func `the window of a region contains the region, also across the antimeridian and around a pole`()
        throws
    {
        for (west, south, east, north) in [
            (9.5, 47.1, 9.6, 47.2), (178, -20, -178, -16), (-180, -90, 180, 90), (0, 80, 10, 90),
            (9.5, 47.1, 9.5, 47.1), (-180, 0, -180, 0),
        ] {
            let wanted = try #require(Region(west: west, south: south, east: east, north: north))
            let window = MapWindow(wanted, world: world, y: y)
            #expect(window.width > 0 && window.height > 0)
            let seen = try #require(window.region(latitude: latitude))
            // A flat map ends at 85°, up to a rounding error.
            let shown = try #require(
                Region(
                    west: wanted.west,
                    south: max(south, -84.9),
                    east: wanted.east,
                    north: min(north, 84.9)
                )
            )
            #expect(seen.padded(by: 1e-4).contains(shown), "\(wanted) \(seen)")
        }
    }
}
