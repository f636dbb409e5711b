import TestSupport
import HTTPTypes
import Testing
import YonderREST
import YonderServer
import YonderTiles

@Suite struct WebAndProbeTests {
    @Test func `the page comes with a policy, is revalidated, and has a gzipped twin`() async throws {
        let server = try await TestServer()
        try await server.run { nobody in
            let page = try await nobody.get("/?anything=goes")
            #expect(page.status == 200 && page.headers[.contentType] == "text/html; charset=utf-8")
            let policy = page.headers[try #require(.init("Content-Security-Policy"))] ?? ""
            #expect(policy.contains("worker-src 'self' blob:") && policy.contains("frame-ancestors 'none'"))
            #expect(page.headers[try #require(.init("X-Content-Type-Options"))] == "nosniff")
            #expect(page.headers[.cacheControl] == "no-cache")
            let tag = page.headers[.eTag]
            let again = try await nobody.with(.ifNoneMatch, tag).get("/")
            #expect(again.status == 304 && again.text.isEmpty)
            let gzipped = try await nobody.with(.acceptEncoding, "br, gzip;q=0.5").get("/")
            #expect(
                gzipped.headers[.contentEncoding] == "gzip" && gzipped.headers[.vary] == "Accept-Encoding"
            )
            #expect(gzipped.headers[.eTag] != tag)
            #expect(
                try await nobody.with(.acceptEncoding, "gzip;q=0").get("/").headers[.contentEncoding] == nil
            )
            let head = try await nobody.call(.head, "/")
            #expect(head.status == 200 && head.text.isEmpty)
            #expect(head.headers[.contentLength] == page.headers[.contentLength])
        }
    }

    @Test func `the control panel is a page of its own, without an extension`() async throws {
        let server = try await TestServer()
        try await server.run { nobody in
            let page = try await nobody.get("/control")
            #expect(page.status == 200 && page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.text.contains("/control/main.js"))
            #expect(try await nobody.get("/control.html").status == 404)
            #expect(try await nobody.get("/index.html").status == 404)
        }
    }

    @Test func `an asset never changes, and there is none under another hash`() async throws {
        let server = try await TestServer()
        try await server.run { nobody in
            let page = try await nobody.get("/").text
            let path = try #require(page.split(separator: "\"").first { $0.hasSuffix("/app/main.js") })
            let asset = try await nobody.get(String(path))
            #expect(asset.status == 200)
            #expect(asset.headers[.cacheControl] == "public, max-age=31536000, immutable")
            let other = path.replacing(try Regex("/assets/[0-9a-f]+/"), with: "/assets/000000000000/")
            #expect(try await nobody.get(String(other)).code == "notFound")
            #expect(try await nobody.get("/assets/x/../../etc/passwd").status == 404)
        }
    }

    @Test func `health, readiness and metrics`() async throws {
        let server = try await TestServer()
        try await server.run { nobody in
            #expect(try await nobody.get("/health").json["status"] as? String == "ok")
            #expect(try await nobody.get("/ready").status == 200)
            let metrics = try await nobody.get("/metrics")
            #expect(metrics.headers[.contentType]?.hasPrefix("text/plain; version=0.0.4") == true)
            let line = #"yonder_http_requests_total{method="GET",route="/health",status="200"} 1"#
            #expect(metrics.text.contains(line))
        }
    }

    @Test(arguments: [
        (Readiness(storeTrouble: "The disk is full"), "The disk is full; try again"),
        (Readiness(hasClock: false), "The server's time isn't the database's"),
        (Readiness(isStopping: true), "The server is stopping"),
    ])
    func `not ready without the store, without its time, or while it stops`(
        _ readiness: Readiness,
        reason: String
    ) async throws {
        let server = try await TestServer(readiness: readiness)
        try await server.run { nobody in
            let reply = try await nobody.get("/ready")
            #expect(reply.status == 503 && reply.code == "unavailable")
            #expect(reply.text.contains(reason))
            #expect(try await nobody.get("/health").status == 200)
        }
    }

    @Test(arguments: [(true, "connected"), (false, "away")])
    func `ready without the bus, and says so`(_ hasBus: Bool, word: String) async throws {
        let server = try await TestServer(readiness: Readiness(hasBus: hasBus))
        try await server.run { nobody in
            let reply = try await nobody.get("/ready")
            #expect(reply.status == 200 && reply.json["bus"] as? String == word)
        }
    }

    @Test func `unknown addresses and wrong methods are answered in JSON`() async throws {
        let server = try await TestServer()
        try await server.run { nobody in
            let unknown = try await nobody.get("/v1/nothing")
            #expect(unknown.status == 404 && unknown.code == "notFound")
            let wrong = try await nobody.call(.put, "/v1/chats/7")
            #expect(wrong.status == 405 && wrong.code == "methodNotAllowed")
            #expect(wrong.headers[.allow] == "GET, HEAD, PATCH")
            for (path, methods) in [
                ("/v1/objects/cafe/near", "GET, HEAD"), ("/v1/objects/cafe/region", "GET, HEAD"),
                ("/v1/objects/cafe/export", "GET, HEAD"), ("/v1/objects/cafe/import", "POST"),
                ("/v1/objects/cafe/7", "DELETE, GET, HEAD, PATCH"),
            ] {
                let reply = try await nobody.call(.put, path)
                #expect(reply.status == 405 && reply.headers[.allow] == methods, "\(path)")
            }
            let plain = try await nobody.get("/v1/stream")
            #expect(plain.status == 426 && plain.code == "unsupportedVersion")
            #expect(plain.headers[.upgrade] == "websocket")
        }
    }

    @Test func `tiles of the world are served gzipped or not, and nothing beyond it`() async throws {
        var settings = ServerSettings()
        settings.tiles["world"] = try TileSource.world()
        let server = try await TestServer(settings)
        try await server.run { nobody in
            let plain = try await nobody.get("/tiles/world/0/0/0.mvt")
            #expect(plain.status == 200 && plain.headers[.contentEncoding] == nil)
            #expect(plain.headers[.contentType] == "application/vnd.mapbox-vector-tile")
            let gzipped = try await nobody.with(.acceptEncoding, "gzip").get("/tiles/world/0/0/0.mvt")
            #expect(gzipped.headers[.contentEncoding] == "gzip")
            let cached = nobody.with(.ifNoneMatch, plain.headers[.eTag])
            #expect(try await cached.get("/tiles/world/0/0/0.mvt").status == 304)
            #expect(try await nobody.get("/tiles/world/20/1/1.mvt").status == 204)
            for path in [
                "/tiles/moon/0/0/0.mvt", "/tiles/world/0/1/0.mvt", "/tiles/world/0/00/0.mvt",
                "/tiles/world/x/0/0.mvt",
            ] {
                #expect(try await nobody.get(path).status == 404)
            }
        }
    }
}
