import HTTPTypes
import Testing
import YonderRules
import YonderHub
import YonderModel
import YonderServer

@Suite struct WriteLimitTests {
    private func server(_ writes: WriteLimits) async throws -> TestServer {
        try await TestServer(ServerSettings(hub: HubSettings(writes: writes)))
    }

    @Test func `messages beyond a person's limit are refused with 429 and a time to wait`() async throws {
        let limit = RateLimit(burst: 3, interval: .seconds(3_600))
        try await server(WriteLimits(messages: limit)).party("Ada", "Ben") { callers in
            // The chat is the first write.
            let path = "/v1/chats/\(try await callers[0].startChat(with: callers[1]))/messages"
            for _ in 0..<2 { #expect(try await callers[0].post(path, #"{"tag":"Text"}"#).status == 201) }
            let refused = try await callers[0].post(path, #"{"tag":"Text"}"#)
            #expect(refused.status == 429 && refused.code == "tooManyRequests")
            #expect((refused.object("error")["retryAfter"] as? Int ?? 0) > 1_000_000)
            #expect(
                try await callers[0].call(.patch, String(path.dropLast(9)), #"{"subject":"x"}"#).status == 429
            )
            #expect(try await callers[1].post(path, #"{"tag":"Text"}"#).status == 201)
        }
    }

    @Test func `objects beyond a person's limit are refused with 429, and reading is not`() async throws {
        let limit = RateLimit(burst: 2, interval: .seconds(3_600))
        try await server(WriteLimits(objects: limit)).party("Ada") { callers in
            try await callers[0].makeCafes()
            try await callers[0].makeCafe("one")
            let refused = try await callers[0].post("/v1/objects/cafe", #"{"fields":{"name":"two"}}"#)
            #expect(refused.status == 429 && refused.code == "tooManyRequests")
            #expect(try await callers[0].get("/v1/objects/cafe").ids.count == 1)
        }
    }
}
