import TestSupport
import Testing
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderServer

@Suite struct GeocodingEndpointTests {
    private static var places: [GeocodingCandidate] {
        get throws {
            let oslo = try #require(Coordinate(latitude: 59.91273, longitude: 10.74609))
            return (0..<30).map { number in
                GeocodingCandidate(
                    name: "Oslo \(number)",
                    address: GeocodingAddress(division: "Oslo", country: "Norway", countryCode: "NO"),
                    coordinate: oslo,
                    kind: .settlement,
                    population: number == 0 ? nil : number,
                    extent: Region(west: 170, south: -1, east: -170, north: 1),
                    source: GeocodingSource(name: "gazetteer", attribution: "GeoNames, CC BY 4.0")
                )
            }
        }
    }

    private func run(_ body: @Sendable (Caller) async throws -> Void) async throws {
        let server = try await TestServer(geocoder: FixedGeocoder(try Self.places))
        try await server.party("Ann") { callers in try await body(callers[0]) }
    }

    @Test func `a candidate has all that is known of it, its source and its credit`() async throws {
        try await run { ann in
            let reply = try await ann.get(
                "/v1/geocoding/search?q=oslo&limit=2&near=59.9,10.7&language=nb&partial=true"
            )
            #expect(reply.status == 200 && reply.list("candidates").count == 2)
            #expect(
                reply.text.hasSuffix(
                    #",{"name":"Oslo 1","label":"Oslo 1, Oslo, Norway","kind":"settlement","latitude":59.91273,"#
                        + #""longitude":10.74609,"address":{"division":"Oslo","country":"Norway","countryCode":"NO"},"#
                        + #""population":1,"extent":{"south":-1.0,"west":170.0,"north":1.0,"east":-170.0},"#
                        + #""source":"gazetteer","attribution":"GeoNames, CC BY 4.0"}]}"#
                )
            )
        }
    }

    @Test func `a reverse search has the distance in meters, and one candidate if nobody says otherwise`()
        async throws
    {
        try await run { ann in
            let reply = try await ann.get("/v1/geocoding/reverse?at=59.91273,10.74609")
            let found = reply.list("candidates")
            #expect(reply.status == 200 && found.count == 1 && found[0]["distance"] as? Double == 0)
            #expect(try await ann.get("/v1/geocoding/reverse?at=0,0&limit=20").list("candidates").count == 20)
        }
    }

    @Test(arguments: [
        ("search", "missingField"), ("search?q=", "missingField"), ("search?q=%20%09", "missingField"),
        ("search?q=a&limit=0", "invalidField"), ("search?q=a&limit=21", "invalidField"),
        ("search?q=a&limit=x", "invalidField"),
        ("search?q=a&near=1", "invalidField"), ("search?q=a&near=91,0", "invalidField"),
        ("search?q=a&near=0,181", "invalidField"),
        ("search?q=a&near=0,0,0", "invalidField"), ("search?q=a&near=nan,0", "invalidField"),
        ("search?q=a&near=%200,0", "invalidField"),
        ("search?q=a&near=1e999,0", "invalidField"), ("search?q=a&near=0x10,0", "invalidField"),
        ("search?q=a&language=d%20e", "invalidField"), ("search?q=a&partial=1", "invalidField"),
        ("search?q=a&q=b", "invalidField"), ("search?q=a&token=b", "unknownField"),
        ("reverse", "missingField"), ("reverse?at=", "invalidField"), ("reverse?at=0", "invalidField"),
    ])
    func `an invalid query is refused`(target: String, code: String) async throws {
        try await run { ann in
            let reply = try await ann.get("/v1/geocoding/\(target)")
            #expect(reply.status == 400 && reply.code == code, "\(reply.text)")
        }
    }

    @Test func `a text of ten thousand characters is refused`() async throws {
        try await run { ann in
            let text = String(repeating: "a", count: 10_000)
            let reply = try await ann.get("/v1/geocoding/search?q=\(text)")
            #expect(reply.code == "invalidField")
        }
    }

    @Test func `a caller without an account finds nothing`() async throws {
        let server = try await TestServer(geocoder: FixedGeocoder(try Self.places))
        try await server.run { nobody in
            let search = try await nobody.get("/v1/geocoding/search?q=oslo")
            let reverse = try await nobody.get("/v1/geocoding/reverse?at=0,0")
            #expect(search.status == 401 && reverse.status == 401)
        }
    }

    @Test func `a caller who searches faster than anybody types waits, and nobody else does`() async throws {
        let server = try await TestServer(geocoder: FixedGeocoder(try Self.places))
        try await server.party("Ann", "Ben") { callers in
            for _ in 0..<30 { #expect(try await callers[0].get("/v1/geocoding/search?q=o").status == 200) }
            let refused = try await callers[0].get("/v1/geocoding/reverse?at=0,0")
            #expect(refused.status == 429 && refused.code == "tooManyRequests")
            #expect(refused.object("error")["retryAfter"] as? Int == 100)
            #expect(try await callers[1].get("/v1/geocoding/search?q=o").status == 200)
            server.wait(.milliseconds(100))
            #expect(try await callers[0].get("/v1/geocoding/search?q=o").status == 200)
        }
    }

    @Test func `a server without a geocoder, or whose geocoder can't answer, says so`() async throws {
        let refusing = FixedGeocoder(refusing: SharingError(.geocoderUnavailable, "Not now."))
        for server in [try await TestServer(), try await TestServer(geocoder: refusing)] {
            try await server.party("Ann") { callers in
                let reply = try await callers[0].get("/v1/geocoding/search?q=o")
                #expect(reply.status == 503 && reply.code == "geocoderUnavailable")
            }
        }
    }
}
