import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing
import YonderModel

@testable import YonderServer

/// Another server with maps, on loopback.
private struct MapServer {
    /// What it answers, by path.
    var answers: [String: String] = [:]

    /// Where a path leads instead.
    var redirects: [String: String] = [:]

    private let quiet = Logger(label: "maps") { _ in SwiftLogNoOpLogHandler() }

    func run<Value: Sendable>(_ body: @Sendable (String) async throws -> Value) async throws -> Value {
        let (answers, redirects) = (answers, redirects)
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in
                let path = request.uri.path
                if let place = redirects[path] {
                    return Response(status: .found, headers: [.location: place])
                }
                if let text = answers[path] { return .json(text) }
                guard path.hasSuffix(".mvt"), let tile = try Self.tile() else {
                    return Response(status: .notFound)
                }
                return Response(status: .ok, body: ResponseBody(byteBuffer: tile))
            },
            logger: quiet
        )
        return try await application.test(.live) { client in
            try await body("http://127.0.0.1:\(try #require(client.port))")
        }
    }

    /// A tile with streets.
    private static func tile() throws -> ByteBuffer? {
        let coordinate = TileCoordinate(zoom: 14, longitude: 9.5215, latitude: 47.1405)
        return try coordinate.flatMap { try PMTilesArchive.region()?.tile($0)?.bytes }
    }
}

@Suite struct MapWebTests {
    private let loader = MapLoader(
        web: MapWeb(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )

    @Test func `TileJSON says zooms, bounds and attribution, and one tile says the schema`() async throws {
        let text =
            #"{"tiles":["tiles/{z}/{x}/{y}.mvt"],"minzoom":2,"maxzoom":13,"bounds":[9,47,10,48],"attribution":"<b>© A</b>"}"#
        try await MapServer(answers: ["/maps/a.json": text]).run { base in
            let maps = try await loader.load([try MapSetting(base + "/maps/a.json")])

            let source = try #require(maps.offer.sources.first)
            #expect(source.template == base + "/maps/tiles/{z}/{x}/{y}.mvt" && source.zooms == 2...13)
            #expect(source.schema == .openmaptiles && source.attribution == "© A" && source.bounds?.west == 9)
            #expect(maps.offer.origins == [base])
        }
    }

    @Test func `a redirect to another host isn't followed, and that map is left out`() async throws {
        let server = MapServer(
            answers: ["/b.json": #"{"tiles":["/{z}/{x}/{y}.mvt"]}"#],
            redirects: ["/a.json": "/b.json", "/far.json": "http://localhost:1/b.json"]
        )
        try await server.run { base in
            #expect(try await loader.describe(try MapSetting(base + "/a.json")).schema == .openmaptiles)
            let maps = try await loader.load([
                try MapSetting(base + "/far.json"), try MapSetting(base + "/none.json"),
            ])
            #expect(maps.offer.sources.isEmpty && maps.offer.origins.isEmpty)
        }
    }

    @Test func `a style is read with its TileJSON, its hosts are known, and no glyph server is asked`()
        async throws
    {
        let style = #"""
            {"version":8,"glyphs":"https://fonts.example.org/{fontstack}/{range}.pbf","sprite":"https://icons.example.org/a",
            "sources":{"a":{"type":"vector","url":"a.json"},"b":{"type":"raster","tiles":["https://b.example.org/{z}/{x}/{y}.png"]}},
            "layers":[]}
            """#
        let server = MapServer(answers: [
            "/style.json": style,
            "/a.json": #"{"tiles":["/{z}/{x}/{y}.mvt"],"maxzoom":9,"attribution":"<i>© B</i>"}"#,
        ])
        try await server.run { base in
            let maps = try await loader.load([], style: base + "/style.json")

            let read = try #require(maps.offer.style)
            let text = String(decoding: read.json, as: UTF8.self).replacingOccurrences(of: "\\/", with: "/")
            #expect(Set(read.origins) == [base, "https://b.example.org", "https://icons.example.org"])
            #expect(
                text.contains(base + "/{z}/{x}/{y}.mvt") && text.contains("\"maxzoom\":9")
                    && text.contains("© B")
            )
            #expect(!text.contains("fonts.example.org") && !text.contains("\"url\""))
        }
    }

    @Test(arguments: ["/nothing.json", "/broken.json", "/older.json", "/script.json"])
    func `a style that can't be used leaves the built-in map`(path: String) async throws {
        let server = MapServer(answers: [
            "/broken.json": "{", "/older.json": #"{"version":7,"layers":[]}"#,
            "/script.json":
                #"{"version":8,"layers":[],"sources":{"a":{"type":"raster","tiles":["javascript:{z}"]}}}"#,
        ])
        try await server.run { base in
            let maps = try await loader.load([], style: base + path)
            #expect(maps.offer.style == nil && maps.offer.world != nil)
        }
    }
}
