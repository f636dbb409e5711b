import HTTPTypes
import NIOCore
import Testing
import YonderModel
import YonderServer

@Suite struct OriginTests {
    @Test(arguments: [
        ("http://map.example.org", "map.example.org", false, true),
        ("http://map.example.org:80", "map.example.org", false, true),
        ("https://map.example.org", "map.example.org:443", false, true),
        ("HTTPS://Map.Example.org", "map.example.org", false, true),
        ("http://map.example.org:8080", "map.example.org:8080", false, true),
        ("http://[::1]:8080", "[::1]:8080", false, true),
        ("https://map.example.org", "map.example.org", true, true),
        ("http://map.example.org", "map.example.org", true, false),
        ("http://map.example.org:8080", "map.example.org", false, false),
        ("http://example.org", "map.example.org", false, false),
        ("http://map.example.org.evil.example", "map.example.org", false, false),
        ("http://map.example.org@evil.example", "map.example.org", false, false),
        ("http://map.example.org/", "map.example.org", false, false),
        ("null", "map.example.org", false, false), ("", "map.example.org", false, false),
        ("https://listed.example", "map.example.org", true, true),
    ])
    func `a page is the server's own or listed`(
        origin: String,
        authority: String,
        isSecure: Bool,
        isAllowed: Bool
    ) throws {
        let origins = try Origins(["https://listed.example"])
        #expect(origins.allows(origin, authority: authority, isSecure: isSecure) == isAllowed)
    }

    @Test(arguments: ["example.org", "https://", "https://a/b", "ftp://a", "https://a b", "*"])
    func `an invalid origin can't be listed`(text: String) {
        #expect(throws: SharingError.self) { try Origins([text]) }
    }

    @Test(arguments: [
        ("203.0.113.9", "198.51.100.7", "203.0.113.9", false),
        ("10.1.2.3", "198.51.100.7", "198.51.100.7", true),
        ("10.1.2.3", "198.51.100.7, 10.9.9.9", "198.51.100.7", true),
        ("10.1.2.3", "1.1.1.1, 198.51.100.7", "198.51.100.7", true),
        ("10.1.2.3", "nonsense", "10.1.2.3", true),
        ("10.1.2.3", "", "10.1.2.3", true),
        ("::ffff:10.1.2.3", "198.51.100.7", "198.51.100.7", true),
        ("2001:db8::1", "198.51.100.7", "198.51.100.7", true),
        ("2001:db9:1:2:3::1", "198.51.100.7", "2001:db9:1:2::/64", false),
    ])
    func `only a listed proxy's word about the client counts`(
        peer: String,
        forwarded: String,
        client: String,
        isSecure: Bool
    ) throws {
        let proxies = try TrustedProxies(["10.0.0.0/8", "2001:db8::1"])
        var head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
        head.headerFields.append(HTTPField(name: try #require(.init("X-Forwarded-For")), value: forwarded))
        head.headerFields.append(HTTPField(name: try #require(.init("X-Forwarded-Proto")), value: "https"))
        let origin = proxies.client(of: head, from: try SocketAddress(ipAddress: peer, port: 1))
        #expect(origin == RequestOrigin(network: client, isForwardedSecurely: isSecure))
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0", "x", "", "::1/129", "10.0.0.1/x"])
    func `an invalid network can't be a proxy`(text: String) {
        #expect(throws: SharingError.self) { try TrustedProxies([text]) }
    }
}
