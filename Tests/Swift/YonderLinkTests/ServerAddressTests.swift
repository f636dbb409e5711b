import Testing
import YonderModel

@testable import YonderLink

@Suite struct ServerAddressTests {
    @Test func `a URL says where the stream is`() throws {
        let plain = try ServerAddress("http://localhost:8080")
        #expect((plain.host, plain.port, plain.isSecure) == ("localhost", 8080, false))
        #expect(plain.prefix.isEmpty)
        #expect(plain.authority == "localhost:8080")
        #expect(plain.isLoopback)

        let secure = try ServerAddress("HTTPS://yonder.example/share/")
        #expect((secure.host, secure.port, secure.isSecure) == ("yonder.example", 443, true))
        #expect(secure.prefix == "/share")
        #expect(secure.authority == "yonder.example")
        #expect(!secure.isLoopback)

        let six = try ServerAddress("ws://[::1]:81")
        #expect((six.host, six.port, six.authority) == ("::1", 81, "[::1]:81"))
        #expect(try ServerAddress("wss://h").port == 443)
    }

    @Test(arguments: [
        "", "localhost", "ftp://h", "http://", "http://:80", "http://h:0", "http://h:65536", "http://h:x",
        "http://u@h",
        "http://h?token=1", "http://h#f", "http://[::1", "http://[::1]x", "http://h h", "http://é",
    ])
    func `anything else is refused`(_ url: String) {
        let refusal = #expect(throws: SharingError.self) { try ServerAddress(url) }
        #expect(refusal?.code == .invalidField)
    }
}
