import TestSupport
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderGeocoding

@Suite struct UpstreamRestTests {
    private let start = ContinuousClock.now

    @Test func `three failures in a row make a rest, a success between them none`() {
        var rest = UpstreamRest()
        for _ in 0..<10 {
            rest.failed(at: start)
            rest.failed(at: start)
            #expect(rest.allowsAsking(at: start))
            rest.succeeded()
        }
        for _ in 0..<3 { rest.failed(at: start) }
        #expect(!rest.allowsAsking(at: start + .seconds(29)) && rest.allowsAsking(at: start + .seconds(30)))
    }

    @Test func `each further rest is longer, up to the longest`() {
        var rest = UpstreamRest()
        for _ in 0..<4 { rest.failed(at: start) }
        #expect(!rest.allowsAsking(at: start + .seconds(59)) && rest.allowsAsking(at: start + .seconds(60)))
        for _ in 0..<1_000 { rest.failed(at: start) }
        #expect(!rest.allowsAsking(at: start + .seconds(599)) && rest.allowsAsking(at: start + .seconds(600)))
    }

    @Test(arguments: [(-5, 30), (0, 30), (120, 120), (Int64.max / 2, 600)] as [(Int64, Int64)])
    func `a server's own wish is kept within bounds`(wish: Int64, seconds: Int64) {
        var rest = UpstreamRest()
        rest.failed(at: start, retryAfter: .seconds(wish))
        #expect(!rest.allowsAsking(at: start + .seconds(seconds - 1)))
        #expect(rest.allowsAsking(at: start + .seconds(seconds)))
    }
}

@Suite struct NominatimSettingsTests {
    @Test(arguments: [
        ("https://nominatim.example.org", "https://nominatim.example.org", "nominatim.example.org"),
        ("http://127.0.0.1:8088/nominatim//", "http://127.0.0.1:8088/nominatim", "127.0.0.1"),
    ])
    func `an address is taken with or without a slash`(url: String, base: String, host: String) throws {
        let settings = try NominatimSettings(url)
        #expect(settings.base == base && settings.host == host && settings.rate == 1)
    }

    @Test(arguments: [
        "", "nominatim.example.org", "ftp://example.org", "https://", "file:///etc/passwd",
        "https://a:b@example.org",
        "https://example.org?x=1", "https://example.org/#a", "not a url",
    ])
    func `an invalid address is refused`(url: String) {
        #expect(throws: SharingError.self) { try NominatimSettings(url) }
    }

    @Test func `the public servers of OpenStreetMap get one request a second, whatever the operator says`()
        throws
    {
        #expect(try NominatimSettings("https://nominatim.openstreetmap.org", rate: 50).rate == 1)
        #expect(try NominatimSettings("https://NOMINATIM.OpenStreetMap.org/", rate: 50).rate == 1)
        #expect(try NominatimSettings("http://localhost:8080", rate: 50).rate == 50)
        #expect(throws: SharingError.self) { try NominatimSettings("http://localhost", rate: 0) }
    }
}

@Suite struct NominatimRequestTests {
    @Test func `a text is data in the query, whatever is in it`() throws {
        for text in GeocoderRule.hostile {
            guard let query = try? GeocodingQuery(text) else { continue }
            let target = NominatimRequest(query).target
            #expect(target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(target)")
            #expect(target.split(separator: "&").count == 4 && target.split(separator: "?").count == 2)
        }
    }

    @Test func `the bias is a rounded box, the coordinate has five decimals`() throws {
        let here = try #require(Coordinate(latitude: 59.9123456, longitude: 10.7461234))
        let language = LanguageTag("de")
        #expect(
            NominatimRequest(try GeocodingQuery("Karl Johan", near: here, language: language)).target
                == "/search?format=jsonv2&addressdetails=1&q=Karl%20Johan&limit=5"
                + "&viewbox=9.7%2C60.9%2C11.7%2C58.9&accept-language=de"
        )
        #expect(
            NominatimRequest(try ReverseGeocodingQuery(here)).target
                == "/reverse?format=jsonv2&addressdetails=1&lat=59.91235&lon=10.74612"
        )
    }
}
