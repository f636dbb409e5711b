import NIOCore
import Testing
@testable import YonderTransport

@Suite struct TrustedProxiesTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.0/24"), ("2001:db8:1:2::/64", "2001:db8:1:2::/64"), ("local", "local"),
    ])
    func `nearby addresses share a subnet`(network: String, subnet: String) {
        #expect(RequestOrigin(network: network, isForwardedSecurely: false).subnet == subnet)
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
        let fields = ["x-forwarded-for": [forwarded], "x-forwarded-proto": ["https"]]
        let origin = proxies.client(from: try SocketAddress(ipAddress: peer, port: 1)) { fields[$0] ?? [] }
        #expect(origin == RequestOrigin(network: client, isForwardedSecurely: isSecure))
    }

    @Test(arguments: [
        ("172.16.0.0/12", "172.31.255.255", true), ("172.16.0.0/12", "172.32.0.0", false),
        ("10.1.2.128/25", "10.1.2.255", true), ("10.1.2.128/25", "10.1.2.127", false),
        ("0.0.0.0/0", "203.0.113.9", true), ("10.1.2.3/32", "10.1.2.3", true),
        ("10.1.2.3/32", "10.1.2.2", false),
        ("2001:db8:8000::/33", "2001:db8:ffff::1", true), ("2001:db8:8000::/33", "2001:db8:7fff::1", false),
        ("0.0.0.0/0", "2001:db8::1", false),
    ])
    func `a network ends at its prefix, to the bit`(network: String, peer: String, isTrusted: Bool) throws {
        let proxies = try TrustedProxies([network])
        let address = try SocketAddress(ipAddress: peer, port: 1)
        let origin = proxies.client(from: address) { $0 == "x-forwarded-for" ? ["198.51.100.7"] : [] }
        #expect((origin.network == "198.51.100.7") == isTrusted)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0", "x", "", "::1/129", "10.0.0.1/x"])
    func `an invalid network can't be a proxy`(text: String) {
        #expect(throws: InvalidNetwork(text: text)) { try TrustedProxies([text]) }
    }
}
