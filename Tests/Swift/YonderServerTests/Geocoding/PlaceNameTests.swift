import HTTPTypes
import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderServer
@testable import YonderTiles

/// Counts how often it is asked.
private final class CountingGeocoder: Geocoder {
    private let count = Mutex(0)
    private let answer: [GeocodingCandidate]

    init(_ answer: [GeocodingCandidate]) {
        self.answer = answer
    }

    var requests: Int { count.withLock { $0 } }

    func search(_ query: GeocodingQuery) async throws(SharingError) -> [GeocodingCandidate] {
        count.withLock { $0 += 1 }
        return answer
    }

    func reverse(_ query: ReverseGeocodingQuery) async throws(SharingError) -> [NearbyCandidate] {
        count.withLock { $0 += 1 }
        return answer.map { NearbyCandidate($0, distance: $0.coordinate.distance(to: query.coordinate)) }
    }
}

@Suite struct PlaceNameTests {
    private static let region = """
        # a comment
        town\tVaduz\t5000\t47.1393\t9.5228
        suburb\tOberdorf\t0\t47.1380\t9.5230
        village\tSchaan\t6000\t47.1663\t9.5103
        street\tStädtle\t\(EncodedPolyline([place(47.1389, 9.5226), place(47.1405, 9.5222)]).text)
        nonsense\twithout numbers
        street\tBroken\t!!
        """

    private static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("not on Earth")
        }
        return coordinate
    }

    private static func town(_ name: String, _ latitude: Double, _ longitude: Double) -> GeocodingCandidate {
        GeocodingCandidate(
            name: name,
            coordinate: place(latitude, longitude),
            kind: .settlement,
            source: GeocodingSource(name: "gazetteer", attribution: "")
        )
    }

    private static var naming: PlaceNaming {
        PlaceNaming(
            regions: [RegionNames(Array(region.utf8))],
            gazetteer: FixedGeocoder([town("Feldkirch", 47.2331, 9.6)])
        )
    }

    @Test func `a position has the name of its street and town, of its village, or of the town that is near`()
        async
    {
        let naming = Self.naming

        let street = await naming.name(at: Self.place(47.1397, 9.5226), accuracy: .meters(8))
        #expect(street?.street == "Städtle" && street?.settlement == "Vaduz")
        let village = await naming.name(at: Self.place(47.17, 9.51), accuracy: .meters(8))
        #expect(village?.street == nil && village?.settlement == "Schaan")
        let near = await naming.name(at: Self.place(47.36, 9.7), accuracy: .meters(8))
        #expect(near?.settlement == "Feldkirch" && near?.distance ?? .zero > .kilometers(10))
    }

    @Test func `farther than 30 km from anything there is no name`() async {
        #expect(await Self.naming.name(at: Self.place(47.6, 9.6), accuracy: nil) == nil)
        #expect(await Self.naming.name(at: Self.place(0, 0), accuracy: nil) == nil)
    }

    @Test func `a coarse position is named no finer than its precision`() async {
        let here = Self.place(47.1397, 9.5226)

        let village = await Self.naming.name(at: here, accuracy: .meters(500))
        #expect(village?.street == nil && village?.settlement == "Vaduz")
        let town = await Self.naming.name(at: here, accuracy: .kilometers(8))
        #expect(town?.settlement == "Feldkirch")
        #expect(await Self.naming.name(at: here, accuracy: .kilometers(50)) == nil)
    }

    @Test func `an address server is asked 0 times for people's positions, unless the operator says so`()
        async throws
    {
        let upstream = CountingGeocoder([Self.town("Elsewhere", 47.1397, 9.5226)])
        let server = try await TestServer(geocoder: upstream, naming: Self.naming)
        try await server.party("Ann") { callers in
            let body =
                #"{"positions":[{"latitude":47.1397,"longitude":9.5226,"accuracy":8},{"latitude":0,"longitude":0}]}"#
            let reply = try await callers[0].call(.post, "/v1/geocoding/names", body)
            #expect(reply.status == 200)
            #expect(
                reply.text.contains(#""street":"Städtle","settlement":"Vaduz"}"#)
                    && reply.text.hasSuffix(",null]}")
            )
        }
        #expect(upstream.requests == 0)

        let allowed = PlaceNaming(gazetteer: nil, upstream: upstream)
        #expect(
            await allowed.name(at: Self.place(47.1397, 9.5226), accuracy: .meters(8))?.settlement
                == "Elsewhere"
        )
        #expect(upstream.requests == 1)
    }

    @Test func `names are for those who are signed in, fifty at once and two requests a second`() async throws
    {
        let server = try await TestServer(naming: Self.naming)
        let one = #"{"positions":[{"latitude":0,"longitude":0}]}"#
        try await server.run { nobody in
            let refused = try await nobody.call(.post, "/v1/geocoding/names", one)
            #expect(refused.status == 401)
        }
        try await server.party("Ann") { callers in
            let many = Array(repeating: #"{"latitude":0,"longitude":0}"#, count: 51).joined(separator: ",")
            for wrong in [
                "{}", #"{"positions":7}"#, #"{"positions":[{"latitude":99,"longitude":0}]}"#,
                #"{"positions":[{"latitude":0,"longitude":181}]}"#,
                #"{"positions":[\#(many)]}"#,
                #"{"positions":[{"latitude":0,"longitude":0,"accuracy":-1}]}"#,
            ] {
                #expect(
                    try await callers[0].call(.post, "/v1/geocoding/names", wrong).status == 400,
                    "\(wrong)"
                )
            }
            for _ in 0..<20 {
                #expect(try await callers[0].call(.post, "/v1/geocoding/names", one).status == 200)
            }
            let refused = try await callers[0].call(.post, "/v1/geocoding/names", one)
            #expect(refused.status == 429 && refused.code == "tooManyRequests")
            server.wait(.seconds(1))
            #expect(try await callers[0].call(.post, "/v1/geocoding/names", one).status == 200)
        }
    }

    @Test func `the demo's region names the streets that its people walk`() throws {
        let region = try #require(RegionNames.embedded())
        let name = region.name(at: Self.place(47.1389, 9.5226), withStreets: true)
        #expect(name?.settlement == "Vaduz" && name?.street != nil)
        #expect(region.settlements.count > 10)
    }
}

@Suite struct TownTileTests {
    @Test func `towns come as tiles of a place layer, made once`() async throws {
        let asked = Mutex(0)
        let towns = TownTiles { bounds, limit throws(SharingError) in
            asked.withLock { $0 += 1 }
            let source = GeocodingSource(name: "gazetteer", attribution: "")
            let place = Coordinate(latitude: 59.91, longitude: 10.75)
            guard let place, bounds.west < 10.75, bounds.east > 10.75, limit > 0 else { return [] }
            return [
                GeocodingCandidate(
                    name: "Oslo",
                    coordinate: place,
                    kind: .settlement,
                    population: 700_000,
                    source: source
                )
            ]
        }
        let server = try await TestServer(towns: towns)
        let coordinate = try #require(TileCoordinate(zoom: 8, longitude: 10.75, latitude: 59.91))
        try await server.run { nobody in
            let path = "/tiles/towns/8/\(coordinate.x)/\(coordinate.y).mvt"
            for (path, status) in [
                (path, 200), (path, 200), ("/tiles/towns/3/1/1.mvt", 204), ("/tiles/towns/12/1/1.mvt", 204),
            ] {
                let reply = try await nobody.get(path)
                #expect(reply.status == status, "\(path)")
            }
            let offer = try await nobody.get("/tiles/map.json")
            #expect(offer.text.contains(#""towns":true"#))
        }
        #expect(asked.withLock { $0 } == 1)
        let made = try #require(try await towns.tile(coordinate))
        let layer = try #require(VectorTileLayers(tile: made)?.layers.first)
        #expect(layer.name == "place" && layer.features == 1 && layer.texts.isSuperset(of: ["Oslo", "city"]))
    }

    @Test func `a place is where its tile's edges say`() throws {
        let coordinate = try #require(TileCoordinate(zoom: 10, longitude: 9.5215, latitude: 47.1405))
        let bounds = try #require(coordinate.bounds)
        #expect(
            bounds.west <= 9.5215 && bounds.east > 9.5215 && bounds.south <= 47.1405 && bounds.north > 47.1405
        )
        let corner = try #require(Coordinate(latitude: bounds.south, longitude: bounds.west))
        let (x, y) = bounds.position(of: corner, extent: 4_096)
        #expect(x == 0 && y == 4_096)
    }
}
