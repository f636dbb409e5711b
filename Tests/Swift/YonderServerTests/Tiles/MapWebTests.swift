import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing
import YonderModel

@testable import YonderServer
@testable import YonderTiles

/// Another server with maps, on loopback.
private struct MapServer {
    /// What it answers, by path.
    var answers: [String: String] = [:]

    /// Where a path leads instead.
    var redirects: [String: String] = [:]

    /// Gives the bytes of an endless answer at `/endless.json`: a first one, and more when it is asked to.
    var more = AsyncStream<Void> { $0.finish() }

    private let quiet = Logger(label: "maps") { _ in SwiftLogNoOpLogHandler() }

    @discardableResult
    func run<Value: Sendable>(_ body: @Sendable (String) async throws -> Value) async throws -> Value {
        let (answers, redirects, more) = (answers, redirects, more)
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in
                let path = request.uri.path
                if let place = redirects[path] {
                    return Response(status: .found, headers: [.location: place])
                }
                if let text = answers[path] {
                    return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
                }
                if path == "/endless.json" {
                    return Response(status: .ok, body: Self.endless(more))
                }
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

    /// A body that begins at once and goes on as `more` says.
    private static func endless(_ more: AsyncStream<Void>) -> ResponseBody {
        ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "{"))
            for await _ in more { try await writer.write(ByteBuffer(string: " ")) }
            try await writer.finish(nil)
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
        web: MapWeb(patience: .seconds(600)),
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

    @Test func `the images of a style may be a list, and each of its hosts is known`() async throws {
        let style = #"""
            {"version":8,"layers":[],"sprite":[{"id":"a","url":"images/a"},{"id":"b","url":"https://b.example.org/b"}]}
            """#
        try await MapServer(answers: ["/styles/a.json": style]).run { base in
            let read = try #require(try await loader.load([], style: base + "/styles/a.json").offer.style)
            let text = String(decoding: read.json, as: UTF8.self).replacingOccurrences(of: "\\/", with: "/")
            #expect(
                text.contains(base + "/styles/images/a") && read.origins == [base, "https://b.example.org"]
            )
        }
    }

    @Test func `a template's tile says that a map is images`() async throws {
        try await MapServer().run { base in
            let said = try await loader.describe(
                try MapSetting(base + "/{z}/{x}/{y}.png kind=raster zoom=0-19 attribution=© A")
            )
            #expect(said.kind == .raster && said.tileSize == 256 && said.zooms == 0...19)
            #expect(said.schema == nil && said.attribution == "© A" && said.origin == base)

            let found = try await loader.describe(try MapSetting(base + "/{z}/{x}/{y}.mvt zoom=0-14"))
            #expect(found.kind == .vector && found.schema == .openmaptiles && found.tileSize == 512)
        }
    }

    @Test func `what is neither a vector tile nor an image is left out`() async throws {
        try await MapServer(answers: ["/0/0/0.png": "<html>sign in first</html>"]).run { base in
            let maps = try await loader.load([try MapSetting(base + "/{z}/{x}/{y}.png zoom=0-9")])
            #expect(maps.offer.sources.isEmpty && maps.offer.world?.id == "world")
        }
    }

    @Test func `rows counted from the south are asked for so`() async throws {
        let text =
            #"{"tiles":["/{z}/{x}/{y}.mvt"],"scheme":"tms","minzoom":1,"maxzoom":1,"bounds":[-170,10,-10,80]}"#
        try await MapServer(answers: ["/south.json": text]).run { base in
            let source = try await loader.describe(try MapSetting(base + "/south.json"))
            #expect(source.template == base + "/{z}/{x}/{-y}.mvt")
            let north = try #require(TileCoordinate(zoom: 1, x: 0, y: 0))
            #expect(MapWeb.address(source.template, north) == base + "/1/0/1.mvt")
        }
    }

    @Test func `a map whose answer doesn't end in time is left out, though it has begun`() async throws {
        let (more, end) = AsyncStream.makeStream(of: Void.self)
        let impatient = MapLoader(
            web: MapWeb(patience: .milliseconds(200)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await MapServer(more: more).run { base in
            defer { end.finish() }
            let maps = try await impatient.load([try MapSetting(base + "/endless.json")])
            #expect(maps.offer.sources.isEmpty)
        }
    }

    @Test func `a document of more than eight megabytes is refused`() async throws {
        let long = #"{"tiles":["/{z}/{x}/{y}.mvt"]}"# + String(repeating: " ", count: 9 << 20)
        try await MapServer(answers: ["/long.json": long]).run { base in
            await #expect(throws: SharingError.self) {
                try await loader.describe(try MapSetting(base + "/long.json"))
            }
        }
    }

    @Test func `without a network the server starts with its own maps`() async throws {
        let closed = "http://127.0.0.1:1"
        let maps = try await loader.load(
            [try MapSetting(closed + "/a.json"), try MapSetting(closed + "/{z}/{x}/{y}.png")],
            style: closed + "/style.json"
        )
        #expect(maps.offer.sources.isEmpty && maps.offer.style == nil && maps.offer.origins.isEmpty)
        #expect(maps.tiles["world"] != nil && maps.offer.world?.id == "world")
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
