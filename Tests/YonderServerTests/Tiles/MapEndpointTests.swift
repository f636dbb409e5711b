import Foundation
import HTTPTypes
import Testing
import YonderModel

@testable import YonderServer

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

    @Test func `without maps of others the content security policy names this server alone`() async throws {
        let server = try await TestServer(ServerSettings())
        try await server.run { nobody in
            let policy = try await nobody.get("/").headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("connect-src 'self';") && !policy.contains("http"))
        }
    }
}
