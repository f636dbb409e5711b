import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderGeocoding

@Suite struct NominatimGeocoderTests {
    private static let oslo = """
        {"lat":"59.9133301","lon":"10.7389701","category":"boundary","type":"administrative","addresstype":"city",
        "name":"Oslo","display_name":"Oslo, Norge","address":{"city":"Oslo","country":"Norge","country_code":"no"},
        "boundingbox":["59.8093113","60.1351064","10.4891652","10.9513894"]}
        """

    /// Knows Oslo and nothing else.
    private static let atlas: ScriptedUpstream.Script = { request in
        switch request.uri.path {
        case "/reverse": return .json(oslo)
        case "/status": return .json(#"{"status":0,"message":"OK"}"#)
        default:
            let text = request.uri.queryParameters["q"] ?? ""
            return .json(text.lowercased().hasPrefix("oslo") ? "[\(oslo)]" : "[]")
        }
    }

    @Test(arguments: GeocoderRule.all) func `an upstream keeps the promises of a geocoder`(rule: GeocoderRule)
        async throws
    {
        try await ScriptedUpstream(Self.atlas).run { try await rule.check($0) }
    }

    @Test(arguments: GeocoderRule.all)
    func `an upstream with something behind it keeps the promises of a geocoder`(rule: GeocoderRule)
        async throws
    {
        try await ScriptedUpstream(Self.atlas).run {
            try await rule.check(FallbackGeocoder(FixedGeocoder(refusing: Self.unavailable), else: $0))
        }
    }

    @Test func `a request carries the program's name`() async throws {
        let upstream = ScriptedUpstream(Self.atlas)
        try await upstream.run { try await $0.checkStatus() }
        #expect(upstream.agents == ["Yonder/test"] && upstream.targets == ["/status?format=json"])
    }

    @Test func `nothing goes out before somebody asks`() async throws {
        let upstream = ScriptedUpstream(Self.atlas)
        try await upstream.run { _ in }
        #expect(upstream.targets.isEmpty)
    }

    @Test func `an answered request isn't sent again until its answer expires`() async throws {
        let upstream = ScriptedUpstream(Self.atlas)
        let clock = Mutex(ContinuousClock.now)
        let here = try #require(Coordinate(latitude: 59.9, longitude: 10.7))
        try await upstream.run(now: { clock.withLock { $0 } }) { geocoder in
            for _ in 0..<3 {
                #expect(try await geocoder.search(try GeocodingQuery("oslo")).count == 1)
                #expect(try await geocoder.search(try GeocodingQuery("nowhere")).isEmpty)
                #expect(try await geocoder.reverse(try ReverseGeocodingQuery(here)).count == 1)
            }
            #expect(upstream.targets.count == 3)
            clock.withLock { $0 = $0 + .seconds(24 * 60 * 60) }
            _ = try await geocoder.search(try GeocodingQuery("oslo"))
            #expect(upstream.targets.count == 4)
        }
    }

    @Test func `partial text is never sent`() async throws {
        let upstream = ScriptedUpstream(Self.atlas)
        try await upstream.run { geocoder in
            let partial = try GeocodingQuery("oslo", isPartial: true)
            let refusal = await Self.refusal { try await geocoder.search(partial) }
            #expect(refusal == .geocoderUnavailable)
            #expect(upstream.targets.isEmpty)
            // But what is known already may be told.
            _ = try await geocoder.search(try GeocodingQuery("oslo"))
            #expect(try await geocoder.search(partial).count == 1)
        }
    }

    @Test func `one request a second goes out, and who can't wait is told at once`() async throws {
        let upstream = ScriptedUpstream(Self.atlas)
        try await upstream.run(rate: 1, change: { $0.patience = .zero }) { geocoder in
            _ = try await geocoder.search(try GeocodingQuery("oslo"))
            for number in 0..<20 {
                let refusal = await Self.refusal {
                    try await geocoder.search(try GeocodingQuery("oslo \(number)"))
                }
                #expect(refusal == .geocoderUnavailable)
            }
        }
        #expect(upstream.targets.count == 1)
    }

    @Test(
        arguments: [
            Response.json("[", .ok), .json("<html>", .ok), .json("", .ok), .json("[]", .internalServerError),
            .json("[]", .forbidden),
            .json("[]", .found, headers: [.location: "/elsewhere"]),
            .json("[" + String(repeating: " ", count: 600 * 1024) + "]"),
        ].map(Unwise.init)
    )
    func `an answer that can't be used is no answer`(answer: Unwise) async throws {
        let upstream = ScriptedUpstream { _ in answer.response }
        try await upstream.run { geocoder in
            let refusal = await Self.refusal { try await geocoder.search(try GeocodingQuery("oslo")) }
            #expect(refusal == .geocoderUnavailable)
        }
        // Redirects aren't followed.
        #expect(upstream.targets.count == 1)
    }

    @Test func `an answer without end is cut at the limit`() async throws {
        let upstream = ScriptedUpstream { _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    let spaces = ByteBuffer(repeating: UInt8(ascii: " "), count: 65_536)
                    while true { try await writer.write(spaces) }
                }
            )
        }
        try await upstream.run { geocoder in
            let refusal = await Self.refusal { try await geocoder.search(try GeocodingQuery("oslo")) }
            #expect(refusal == .geocoderUnavailable)
        }
    }

    @Test func `a server that begins to answer and stops is given up, and the next one is asked`()
        async throws
    {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let upstream = ScriptedUpstream { _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "["))
                    for await _ in ends {}
                    try await writer.finish(nil)
                }
            )
        }
        try await upstream.run(change: { $0.timeout = .milliseconds(300) }) { geocoder in
            let fallback = FallbackGeocoder(geocoder, else: FixedGeocoder([try Self.town]))
            let found = try await fallback.search(try GeocodingQuery("oslo"))
            #expect(found.map(\.source.name) == ["gazetteer"])
            end.finish()
        }
    }

    @Test func `a server that fails again and again is left in peace, and asked again after a rest`()
        async throws
    {
        let upstream = ScriptedUpstream { _ in .json("", .badGateway) }
        let clock = Mutex(ContinuousClock.now)
        try await upstream.run(now: { clock.withLock { $0 } }) { geocoder in
            for number in 0..<10 {
                _ = await Self.refusal { try await geocoder.search(try GeocodingQuery("oslo \(number)")) }
                clock.withLock { $0 = $0 + .milliseconds(10) }
            }
            #expect(upstream.targets.count == UpstreamRest.failureLimit)
            clock.withLock { $0 = $0 + UpstreamRest.first }
            _ = await Self.refusal { try await geocoder.search(try GeocodingQuery("oslo")) }
            #expect(upstream.targets.count == UpstreamRest.failureLimit + 1)
        }
    }

    @Test func `a server that asks for a pause gets it`() async throws {
        var headers = HTTPFields()
        headers[.retryAfter] = "100"
        let pause = headers
        let upstream = ScriptedUpstream { _ in .json("", .tooManyRequests, headers: pause) }
        try await upstream.run { geocoder in
            for number in 0..<5 {
                _ = await Self.refusal { try await geocoder.search(try GeocodingQuery("oslo \(number)")) }
            }
        }
        #expect(upstream.targets.count == 1)
    }

    @Test func `nobody there is no answer`() async throws {
        let geocoder = NominatimGeocoder(
            try NominatimSettings("http://127.0.0.1:1"),
            logger: Logger(label: "test")
        )
        let refusal = await Self.refusal { try await geocoder.search(try GeocodingQuery("oslo")) }
        #expect(refusal == .geocoderUnavailable)
        try await geocoder.shutdown()
    }

    @Test func `a status other than 0 is not well`() async throws {
        let upstream = ScriptedUpstream { _ in
            .json(#"{"status":700,"message":"Database connection failed"}"#)
        }
        try await upstream.run { geocoder in
            let refusal = await Self.refusal { try await geocoder.checkStatus() }
            #expect(refusal == .geocoderUnavailable)
        }
    }

    @Test func `the second geocoder is asked for places that the first doesn't know`() async throws {
        let empty = FixedGeocoder([]), full = FixedGeocoder([try Self.town])
        let query = try GeocodingQuery("oslo")
        #expect(try await FallbackGeocoder(empty, else: full).search(query) == [try Self.town])
        #expect(try await FallbackGeocoder(full, else: empty).search(query) == [try Self.town])
        let here = try ReverseGeocodingQuery(try Self.town.coordinate)
        #expect(
            try await FallbackGeocoder(empty, else: full).reverse(here).map(\.candidate) == [try Self.town]
        )
    }

    /// An answer, for a test's name.
    struct Unwise: Sendable, CustomTestStringConvertible {
        let response: Response

        init(_ response: Response) {
            self.response = response
        }

        var testDescription: String { "\(response.status), \(response.body.contentLength ?? 0) bytes" }
    }

    private static let unavailable = SharingError(.geocoderUnavailable, "Not now.")

    private static var town: GeocodingCandidate {
        get throws {
            GeocodingCandidate(
                name: "Oslo",
                coordinate: try #require(Coordinate(latitude: 59.91273, longitude: 10.74609)),
                kind: .settlement,
                source: GeocodingSource(name: "gazetteer", attribution: "GeoNames")
            )
        }
    }

    private static func refusal<Value>(_ body: () async throws -> Value) async -> SharingError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? SharingError)?.code
        }
    }
}
