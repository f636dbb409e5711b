import Testing
import YonderModel
import YonderAccounts

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
}
