import NIOHTTP1
import Testing
import YonderTransport

@Suite struct UpgradeRequestTests {
    private func request(_ target: String, offering protocols: [String] = []) -> UpgradeRequest {
        let fields = protocols.map { ("Sec-WebSocket-Protocol", $0) }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: HTTPHeaders(fields))
        return UpgradeRequest(head: head, remoteAddress: nil)
    }

    @Test(arguments: [
        ("/v1/stream", "/v1/stream", ""), ("/a?b=c?d", "/a", "b=c?d"), ("/a?", "/a", ""),
        ("http://host/a?b", "/a", "b"), ("HTTPS://host:443/a/b", "/a/b", ""), ("http://host", "/", ""),
        ("http://host?b", "/", "b"),
    ])
    func `a target has a path and a query, in absolute form too`(target: String, path: String, query: String)
    {
        #expect(request(target).path == path)
        #expect(request(target).query == query)
    }

    @Test func `subprotocols of all fields are offered`() {
        let several = request("/", offering: ["a, b\t", "c"])
        #expect(several.offers("a") && several.offers("b") && several.offers("c") && !several.offers("d"))
        #expect(several.offersSubprotocols && !several.offers("a, b"))
        #expect(!request("/").offersSubprotocols && !request("/", offering: [" "]).offersSubprotocols)
    }
}
