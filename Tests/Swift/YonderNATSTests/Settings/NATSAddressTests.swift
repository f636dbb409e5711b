import Testing

@testable import YonderNATS

struct NATSAddressTests {
    @Test func `an address has a scheme, a host and perhaps a port`() throws {
        let plain = try NATSAddress("nats://bus.example")
        #expect((plain.host, plain.port, plain.requiresTLS) == ("bus.example", 4222, false))
        let secure = try NATSAddress("TLS://[2001:db8::1]:4333/")
        #expect((secure.host, secure.port, secure.requiresTLS) == ("2001:db8::1", 4333, true))
        #expect("\(secure)" == "tls://[2001:db8::1]:4333")
    }

    @Test(arguments: [
        "", "nats://", "bus.example", "http://bus", "nats://bus:0", "nats://bus:65536", "nats://bus:x",
        "nats://bus/path",
        "nats://a b", "nats://bus?x", "nats://[::1", "nats://a@b@c", "nats://@bus", "nats://%zz@bus",
        "nats://%ff@bus", "nats://é",
        "nats://a,b",
    ])
    func `other texts are no address`(text: String) {
        #expect { try NATSAddress(text) } throws: { ($0 as? NATSError)?.code == .invalidAddress }
    }

    @Test func `credentials are in no description and no error`() throws {
        let address = try NATSAddress("nats://yonder:p%40ss:word@localhost")
        #expect(address.credentials == .password(name: "yonder", password: "p@ss:word"))
        #expect("\(address)" == "nats://localhost:4222")
        #expect(String(reflecting: address) == "nats://localhost:4222")
        #expect(try NATSAddress("nats://s3cret@localhost").credentials == .token("s3cret"))
        #expect { try NATSAddress("nats://me:s3cret@bus:x") } throws: { !"\($0)".contains("s3cret") }
    }

    @Test func `several addresses are parted by commas`() throws {
        let addresses = try NATSAddress.list("nats://a, tls://b:1")
        #expect(addresses.map(\.description) == ["nats://a:4222", "tls://b:1"])
        #expect(throws: NATSError.self) { try NATSAddress.list("nats://a,") }
        let many = Array(repeating: "nats://a", count: 33).joined(separator: ",")
        #expect(throws: NATSError.self) { try NATSAddress.list(many) }
    }

    @Test func `loopback is this machine alone`() throws {
        for host in ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"] {
            #expect(try NATSAddress("nats://\(host)").isLoopback)
        }
        for host in ["127.0.0.1.example", "10.0.0.1", "bus", "127.evil"] {
            #expect(try !NATSAddress("nats://\(host)").isLoopback)
        }
    }
}
