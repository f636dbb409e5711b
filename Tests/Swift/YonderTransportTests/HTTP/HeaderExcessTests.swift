import NIOHTTP1
import Testing

@testable import YonderTransport

@Suite struct HeaderExcessTests {
    private func fault(_ name: String, _ value: String) -> RequestFault? {
        var headers: HTTPHeaders = name.lowercased() == "host" ? [:] : ["Host": "localhost"]
        headers.add(name: name, value: value)
        return RequestFault(of: HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers))
    }

    @Test(arguments: [
        ("Connection", 256), ("UPGRADE", 256), ("host", 260), ("Origin", 512), ("Expect", 256),
        ("Transfer-Encoding", 256), ("Content-Type", 1_024), ("Accept-Encoding", 1_024), ("Range", 1_024),
        ("If-None-Match", 4_096), ("X-Forwarded-For", 4_096), ("Sec-WebSocket-Key", 256),
        ("Sec-WebSocket-Protocol", 1_024),
    ])
    func `a field is as long as its kind may be, and no longer`(name: String, limit: Int) throws {
        #expect(fault(name, String(repeating: "a", count: limit)) == nil)
        let refused = try #require(fault(name, String(repeating: "a", count: limit + 1)))
        #expect(refused.status == .requestHeaderFieldsTooLarge)
        guard case .field(let excess) = refused else { Issue.record("\(refused)"); return }
        #expect(excess.name == name.lowercased() && excess.limit == limit && !excess.isText)
    }

    @Test(arguments: ["Connection", "Upgrade"])
    func `what libraries read of every request is ASCII`(name: String) throws {
        let refused = try #require(fault(name, "a\u{0301}\u{0323}"))
        #expect(refused.status == .badRequest)
        #expect(fault("X-Other", "a\u{0301}\u{0323}") == nil)
    }

    @Test func `a cookie and a token have the room of the whole head`() {
        for name in ["Cookie", "Authorization", "X-Other"] {
            #expect(fault(name, String(repeating: "a", count: 30_000)) == nil)
        }
    }

    @Test(arguments: ["websocket", "WebSocket", "h2c, websocket", "h2c ,\twebsocket ", "websocket,"])
    func `an upgrade is one by its words, in whatever list`(words: String) {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/v1/stream")
        head.headers = [
            "Upgrade": words, "Connection": "keep-alive, Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        #expect(WebSocketHandshake(head) != nil)
        head.headers.replaceOrAdd(name: "Connection", value: "keep-alive, Upgrades")
        #expect(WebSocketHandshake(head) == nil)
    }
}
