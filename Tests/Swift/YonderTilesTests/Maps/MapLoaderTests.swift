import Foundation
import Logging
import NIOCore
import Testing
import YonderModel

@testable import YonderTiles

@Suite struct MapLoaderTests {
    private let loader = MapLoader(web: nil, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    private static func fixture(_ name: String) -> String {
        let root = URL(filePath: #filePath).appending(path: "../../../../..").standardized
        return root.appending(path: "Tests/Fixtures/maps/\(name).pmtiles").path
    }

    @Test(arguments: MapSource.Schema.allCases)
    func `a file says its schema, zooms, bounds and attribution`(schema: MapSource.Schema) async throws {
        let setting = try MapSetting(Self.fixture(schema.rawValue))

        let maps = try await loader.load([setting])

        let source = try #require(maps.offer.sources.first)
        #expect(source.id == schema.rawValue && source.kind == .vector && source.schema == schema)
        #expect(
            source.zooms.upperBound == 14 && source.template == "/tiles/\(schema.rawValue)/{z}/{x}/{y}.mvt"
        )
        let bounds = try #require(source.bounds)
        #expect(bounds.west > 9.4 && bounds.east < 9.7 && bounds.south > 47 && bounds.north < 47.3)
        #expect(source.attribution.contains("© OpenStreetMap contributors"))
        #expect(source.origin == nil && maps.offer.origins.isEmpty)
        #expect(maps.tiles[schema.rawValue] != nil && maps.offer.world?.id == "world")
    }

    @Test func `the demo shows streets by itself, and another map in their place`() async throws {
        let own = try await loader.load([], isDemo: true)
        #expect(own.offer.sources.map(\.id) == ["liechtenstein"])
        #expect(own.offer.sources.first?.schema == .openmaptiles)
        #expect(own.offer.sources.first?.attribution.contains("OpenStreetMap") == true)

        let other = try await loader.load([try MapSetting(Self.fixture("shortbread"))], isDemo: true)
        #expect(other.offer.sources.map(\.id) == ["shortbread"])
    }

    @Test func `the world has the sea, and a country without a coast has none`() async throws {
        let maps = try await loader.load([], isDemo: true)

        #expect(maps.offer.world?.hasSea == true)
        #expect(maps.offer.sources.first?.hasSea == false)
    }

    @Test func `the operator's settings override the detected ones`() async throws {
        let text =
            Self.fixture("protomaps")
            + " zoom=12-13 schema=shortbread name=town attribution=© Somebody <b>else</b>"

        let source = try await loader.describe(try MapSetting(text))

        #expect(source.id == "town" && source.zooms == 12...13 && source.schema == .shortbread)
        #expect(source.attribution == "© Somebody else")
    }

    @Test func `a file that isn't there ends the start, and says which`() async throws {
        let setting = try MapSetting("/nowhere/streets.pmtiles")

        await #expect {
            _ = try await loader.load([setting])
        } throws: { ($0 as? SharingError)?.message.contains("/nowhere/streets.pmtiles") == true }
    }

    @Test func `a report lists the layers and a sample tile`() async throws {
        let report = try await loader.report(try MapSetting(Self.fixture("openmaptiles")))

        for part in [
            "schema       openmaptiles", "transportation", "tile         14/", "features", "© OpenStreetMap",
        ] {
            #expect(report.contains(part), "\(part)")
        }
    }
}

@Suite struct MapSettingTests {
    @Test func `a file, a document and a template are told apart`() throws {
        #expect(try MapSetting("/maps/my country.pmtiles").location == .file("/maps/my country.pmtiles"))
        #expect(try MapSetting("/maps/my country.pmtiles").identifier == "my-country")
        let document = "https://tiles.example.org/streets.json"
        #expect(try MapSetting(document).location == .document(document))
        let template = "https://tile.example.org:8443/{z}/{x}/{y}.png"
        let setting = try MapSetting(template + " kind=raster zoom=0-19 attribution=© A B")
        #expect(setting.location == .template(template) && setting.origin == "https://tile.example.org:8443")
        #expect(setting.kind == .raster && setting.zooms == 0...19 && setting.attribution == "© A B")
        #expect(try MapSetting(named: "world=/maps/planet.pmtiles").identifier == "world")
    }

    @Test(arguments: [
        "", "kind=raster", "https://user:secret@example.org/a.json", "https://example.org/{z}/{x}.png",
        "a.pmtiles zoom=5-3", "a.pmtiles zoom=0-99", "a.pmtiles schema=esri", "a.pmtiles name=a/b",
        "https://exa mple;x/{z}/{x}/{y}",
    ])
    func `an invalid setting is refused`(text: String) {
        #expect(throws: SharingError.self) { try MapSetting(text) }
    }

    @Test func `an origin holds nothing that ends a directive of the content security policy`() {
        #expect(MapSetting.origin(of: "https://a.example.org;script-src *//x") == nil)
        #expect(MapSetting.origin(of: "ftp://a.example.org/x") == nil)
        #expect(MapSetting.origin(of: "https://A.Example.org/{z}?key={x}") == "https://a.example.org")
    }
}

@Suite struct TileDocumentTests {
    @Test func `a credit is shown as text`() {
        let html = "<a href=\"https://x\" onclick='y'>&copy; Maps</a>\n&amp; <script>alert(1)</script>"
        #expect(TileDocument.plain(html) == "© Maps & alert(1)")
    }

    @Test func `members of the wrong type count as missing`() throws {
        let text =
            #"{"tiles":7,"minzoom":"2","maxzoom":[],"bounds":[1,2],"attribution":{},"vector_layers":[{"id":3},{"id":"roads"}]}"#
        let document = try #require(TileDocument(Array(text.utf8)))
        #expect(document.template == nil && document.minimumZoom == 2 && document.maximumZoom == nil)
        #expect(document.bounds == nil && document.attribution == "" && document.layers == ["roads"])
        #expect(TileDocument(Array("[]".utf8)) == nil)
    }

    @Test func `cut and false tiles are refused, whatever they hold`() throws {
        let archive = try #require(try PMTilesArchive.region())
        let coordinate = try #require(TileCoordinate(zoom: 14, longitude: 9.5215, latitude: 47.1405))
        let tile = try #require(try archive.tile(coordinate))
        let whole = try Gunzip.inflate(tile.bytes, limit: 1 << 20)
        let layers = try #require(VectorTileLayers(tile: tile))
        #expect(layers.names.contains("transportation") && layers.names.contains("housenumber"))
        for length in stride(from: 1, to: whole.readableBytes, by: 997) {
            let cut = ByteBuffer(bytes: whole.readableBytesView.prefix(length))
            _ = VectorTileLayers(tile: Tile(bytes: cut, isGzipped: false))
        }
        #expect(
            VectorTileLayers(tile: Tile(bytes: ByteBuffer(string: "{\"no\":1}"), isGzipped: false)) == nil
        )
    }
}
