import TestSupport
import HTTPTypes
import Testing
import YonderAccounts
import YonderHub
import YonderModel
import YonderServer
import YonderWorld

/// Who is refused an upgrade is answered by the route of the same path, which asks the same questions.
@Suite struct StreamAdmissionTests {
    @Test func `an open world lets anyone in, else an account is needed`() async throws {
        for (world, code) in [
            (WorldSettings.Access.open, "unsupportedVersion"), (.members, "notSignedIn"),
        ] {
            var settings = ServerSettings()
            settings.hub.world.access = world
            let server = try await TestServer(settings)
            try await server.run { nobody in
                let reply = try await nobody.with(.upgrade, "websocket").get("/v1/stream")
                #expect(reply.code == code)
            }
        }
    }

    @Test func `a cookie opens the stream from the server's own page alone`() async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let owner = try await nobody.redeem(link).with(.upgrade, "websocket")
            #expect(try await owner.get("/v1/stream").code == "unsupportedVersion")
            for origin in [nil, "https://evil.example"] {
                let reply = try await owner.with(.origin, origin).get("/v1/stream")
                #expect(reply.status == 403 && reply.code == "forbiddenOrigin")
            }
        }
    }

    @Test func `a bad token, a query and a foreign subprotocol are refused`() async throws {
        let server = try await TestServer()
        try await server.run { nobody in
            let client = nobody.with(.upgrade, "websocket")
            #expect(try await client.bearing("nonsense").get("/v1/stream").code == "invalidCredentials")
            #expect(try await client.get("/v1/stream?token=x").code == "unknownField")
            let protocolName = try #require(HTTPField.Name("Sec-WebSocket-Protocol"))
            let other = try await client.with(protocolName, "graphql-ws").get("/v1/stream")
            #expect(other.status == 426 && other.code == "unsupportedVersion")
        }
    }

    @Test func `an upgrade that can never succeed is answered for good`() async throws {
        let server = try await TestServer()
        try await server.run { nobody in
            let client = nobody.with(.upgrade, "websocket").with(.connection, "Upgrade")
                .with(.secWebSocketVersion, "13")
            for key in ["short", "dGhlIHNhbXBsZSBub25jZQ=", "not base64, but 24 bytes"] {
                let reply = try await client.with(.secWebSocketKey, key).get("/v1/stream")
                #expect(reply.status == 400 && reply.code == "invalidFrame", "\(key)")
            }
            let whole = client.with(.secWebSocketKey, "dGhlIHNhbXBsZSBub25jZQ==")
            let reply = try await whole.with(.contentLength, "2").get("/v1/stream")
            #expect(reply.status == 400 && reply.code == "invalidFrame")
        }
    }

    @Test func `an upgrade that was refused while the store failed is answered 503 and tried again`()
        async throws
    {
        let server = try await TestServer()
        try await server.run { nobody in
            // The router alone: an upgrade that reaches it was refused, and its reason has gone.
            let client = nobody.with(.upgrade, "websocket").with(.connection, "Upgrade")
                .with(.secWebSocketVersion, "13").with(.secWebSocketKey, "dGhlIHNhbXBsZSBub25jZQ==")
            let reply = try await client.get("/v1/stream")
            #expect(reply.status == 503 && reply.code == "unavailable")
        }
    }
}
