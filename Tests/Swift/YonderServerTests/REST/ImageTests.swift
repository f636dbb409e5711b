import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing
import YonderAccounts
import YonderRules
import YonderHub
import YonderModel
import YonderServer

struct ImageTests {
    private let server: TestServer

    init() async throws {
        server = try await TestServer()
    }

    @Test
    func `an image is read by whoever reads the message that names it, and by nobody when it is taken back`()
        async throws
    {
        try await server.party("Ada", "Ben", "Eve") { party async throws in
            let (ada, ben, eve) = (party[0], party[1], party[2])
            let chat = try await ada.startChat(with: ben)
            let id = try await ada.send(ImageSamples.jpeg.withMetadata)
            #expect(try await ben.get("/v1/images/\(id)").status == 404)
            let photo = #"{"tag":"Photo","data":{"image":"\#(id)","width":3,"height":2}}"#
            let number = try #require(
                try await ada.post("/v1/chats/\(chat)/messages", photo).integer("number")
            )

            let reply = try await ben.get("/v1/images/\(id)")
            #expect(reply.status == 200)
            #expect(reply.headers[.contentType] == "image/jpeg")
            #expect(reply.headers[.cacheControl] == "no-store")
            #expect(reply.headers[.xContentTypeOptions] == "nosniff")
            #expect(reply.headers[values: .contentSecurityPolicy].contains("sandbox"))
            #expect(try await eve.get("/v1/images/\(id)").code == "notFound")

            _ = try await ada.call(.delete, "/v1/chats/\(chat)/messages/\(number)", "{}")
            #expect(try await ben.get("/v1/images/\(id)").status == 404)
            #expect(try await ada.get("/v1/images/\(id)").status == 404)
        }
    }

    @Test func `a user who left a chat can't read its later images`() async throws {
        try await server.party("Ada", "Ben") { party async throws in
            let (ada, ben) = (party[0], party[1])
            let chat = try await ada.startChat(with: ben)
            _ = try await ben.call(.delete, "/v1/chats/\(chat)/participants/me", "{}")
            let id = try await ada.send(ImageSamples.png.plain)
            try await ada.post("/v1/chats/\(chat)/messages", #"{"tag":"Photo","data":{"image":"\#(id)"}}"#)
            #expect(try await ben.get("/v1/images/\(id)").status == 404)
        }
    }

    @Test func `a profile's picture is seen by contacts, and not by strangers`() async throws {
        try await server.party("Ada", "Ben") { party async throws in
            let (ada, ben) = (party[0], party[1])
            let id = try await ada.send(ImageSamples.webp.plain)
            #expect(try await ada.call(.patch, "/v1/me", #"{"avatar":"/v1/images/\#(id)"}"#).status == 200)
            #expect(try await ben.get("/v1/images/\(id)").headers[.contentType] == "image/webp")
            let stranger = try await server.assembly.accounts.create(Profile(name: "Sam"), under: .server)
            let token = try await server.assembly.accounts.makeToken("", for: stranger.id, under: .server)
            #expect(try await ben.bearing(token.text).get("/v1/images/\(id)").status == 404)
            #expect(try await ben.with(.authorization, nil).get("/v1/images/\(id)").status == 401)
        }
    }

    @Test func `nobody's place leaves with a picture`() async throws {
        try await server.party("Ada") { party async throws in
            for sample in ImageSamples.all {
                let id = try await party[0].send(sample.withMetadata)
                let text = try await party[0].get("/v1/images/\(id)").text
                for secret in ImageSamples.secrets { #expect(!text.contains(secret)) }
            }
        }
    }

    @Test func `a file other than a picture is refused with a reason`() async throws {
        try await server.party("Ada") { party async throws in
            let ada = party[0]
            #expect(try await ada.image(Array("GIF89a".utf8)).code == "invalidFile")
            #expect(
                try await ada.image([UInt8](repeating: 0, count: ImageFile.byteLimit + 1)).code == "tooLarge"
            )
            #expect(try await ada.post("/v1/images").code == "invalidFrame")
            #expect(try await ada.get("/v1/images/x").code == "notFound")
        }
    }

    @Test func `images count for how much a person may write`() async throws {
        let limits = WriteLimits(bytes: RateLimit(burst: 200, perSecond: 1))
        let server = try await TestServer(ServerSettings(hub: HubSettings(writes: limits)))
        try await server.party("Ada") { party async throws in
            #expect(try await party[0].image(ImageSamples.png.plain).status == 201)
            var code: String?
            for _ in 0..<50 where code == nil { code = try await party[0].image(ImageSamples.png.plain).code }
            #expect(code == "tooManyRequests")
        }
    }
}

extension Caller {
    fileprivate func image(_ bytes: [UInt8]) async throws -> Reply {
        var headers = headers
        headers[.contentType] = "image/jpeg"
        return Reply(
            try await client.execute(
                uri: "/v1/images",
                method: .post,
                headers: headers,
                body: ByteBuffer(bytes: bytes)
            )
        )
    }

    /// Sends an image; answers its id.
    fileprivate func send(_ bytes: [UInt8]) async throws -> String {
        try #require(try await image(bytes).string("image"))
    }
}
