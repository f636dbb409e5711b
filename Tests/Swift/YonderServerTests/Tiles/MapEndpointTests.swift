import Foundation
import HTTPTypes
import Logging
import Testing
import YonderModel

@testable import YonderServer
@testable import YonderTiles

@Suite struct MapEndpointTests {
    @Test func `the page is told which maps there are`() async throws {
        var settings = ServerSettings()
        settings.map = MapOffer(
            sources: [
                MapSource(
                    id: "streets",
                    kind: .vector,
                    schema: .protomaps,
                    template: "https://tiles.example.org/{z}/{x}/{y}.mvt",
                    zooms: 0...15,
                    attribution: "© \"Example\"",
                    origin: "https://tiles.example.org"
                )
            ]
        )
        let server = try await TestServer(settings)
        try await server.run { nobody in
            let reply = try await nobody.get("/tiles/map.json")
            #expect(reply.status == 200)
            let text = reply.text
            #expect(
                text.contains(#""schema":"protomaps""#)
                    && text.contains(#""origins":["https://tiles.example.org"]"#)
            )
            let policy = reply.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("connect-src 'self' https://tiles.example.org;"))
            #expect(policy.contains("img-src 'self' data: blob: https://tiles.example.org;"))
            #expect(policy.contains("script-src 'self';"))
            #expect(try await nobody.get("/tiles/style.json").status == 404)
        }
    }

    @Test func `a style of the operator's is served, and the policy names its hosts`() async throws {
        var settings = ServerSettings()
        let json = #"{"version":8,"layers":[],"sources":{}}"#
        settings.map.style = MapStyle(json: Array(json.utf8), origins: ["https://a.example.org"])
        let server = try await TestServer(settings)
        try await server.run { nobody in
            let reply = try await nobody.get("/tiles/style.json")
            #expect(reply.status == 200 && reply.text == json)
            #expect(try await nobody.get("/tiles/map.json").text.contains(#""style":true"#))
            let policy = try await nobody.get("/").headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("connect-src 'self' https://a.example.org;"))
        }
    }

    @Test func `a map's file removed while the server runs is read on, and missing at the next start`()
        async throws
    {
        let file = try RegionFile()
        defer { file.remove() }
        let (server, loader) = (try await file.server(), RegionFile.loader)
        try await server.run { nobody in
            file.remove()
            let street = try await nobody.get(RegionFile.street)
            #expect(street.status == 200 && street.headers[.contentType] == RegionFile.type)
            #expect(try await nobody.get(RegionFile.world).status == 200)
        }
        await #expect {
            _ = try await loader.load([try MapSetting(file.path)])
        } throws: { ($0 as? SharingError)?.message.contains(file.path) == true }
    }

    @Test func `a map's file cut short while the server runs is an error of its tiles alone`() async throws {
        let file = try RegionFile()
        defer { file.remove() }
        let server = try await file.server()
        try await server.run { nobody in
            try file.cut()
            let street = try await nobody.get(RegionFile.street)
            #expect(street.status == 500 && street.code == "internalError")
            let world = try await nobody.get(RegionFile.world)
            #expect(world.status == 200 && world.headers[.contentType] == RegionFile.type)
            #expect(try await nobody.get("/tiles/map.json").status == 200)
        }
    }

    @Test func `without maps of others the content security policy names this server alone`() async throws {
        let server = try await TestServer(ServerSettings())
        try await server.run { nobody in
            let policy = try await nobody.get("/").headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("connect-src 'self';") && !policy.contains("http"))
        }
    }
}

/// The streets of a region in a file of its own.
private struct RegionFile {
    static let street = "/tiles/streets/14/8625/5753.mvt"
    static let world = "/tiles/world/6/33/22.mvt"
    static let type = "application/vnd.mapbox-vector-tile"
    static let loader = MapLoader(web: nil, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    private let place = FileManager.default.temporaryDirectory.appending(
        path: "streets-\(UInt64.random(in: 0 ... .max)).pmtiles"
    )

    var path: String { place.path }

    init() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../../..").standardized
        try FileManager.default.copyItem(
            at: root.appending(path: "Tests/Fixtures/maps/protomaps.pmtiles"),
            to: place
        )
    }

    /// A server that serves the file as `streets`.
    func server() async throws -> TestServer {
        let maps = try await Self.loader.load([try MapSetting(path + " name=streets")])
        var settings = ServerSettings()
        settings.tiles = maps.tiles
        settings.map = maps.offer
        return try await TestServer(settings)
    }

    /// Leaves the first bytes of the file.
    func cut() throws {
        let handle = try FileHandle(forWritingTo: place)
        try handle.truncate(atOffset: 200)
        try handle.close()
    }

    func remove() { try? FileManager.default.removeItem(at: place) }
}
