import Testing
import YonderAccounts
import YonderModel

@testable import YonderREST

@Suite struct PublicAddressTests {
    private let machine = PublicAddress.Machine(name: "Pi.lan", addresses: ["192.168.1.20", "fd00::20"])

    private func page(
        _ authority: String?,
        origins: [String] = [],
        isSecure: Bool = false,
        isForwarded: Bool = false
    ) throws -> String {
        let machine = machine
        return try PublicAddress(origins: try Origins(origins), machine: { machine })
            .page(authority: authority, isSecure: isSecure, isForwarded: isForwarded)
    }

    @Test(arguments: [
        "localhost", "localhost:8080", "LOCALHOST:80", "127.0.0.1:8080", "127.9.9.9", "[::1]:8080",
        "192.168.1.20:8080",
        "[fd00::20]", "[FD00:0::20]:8080", "pi", "pi:8080", "pi.lan:8080", "pi.local", "PI.local:8080",
    ])
    func `without an origin a link leads to a host that is this machine, as it was asked`(authority: String)
        throws
    {
        #expect(try page(authority) == "http://\(authority)/")
        #expect(try page(authority, isSecure: true) == "https://\(authority)/")
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "192.168.1.21", "pi.evil.example", "localhost.evil.example",
        "pi.lan.local",
        "localhost:8080:1", "localhost:99999", "localhost:", "localhost@evil.example", "localhost/evil",
        "localhost#", "",
        "[::1", "[::1]evil", "[::2]", "evil.example, localhost", "localhost, evil.example", "::1", "127.1",
    ])
    func `without an origin no link leads to a foreign host`(authority: String) {
        #expect { try page(authority) } throws: { ($0 as? SharingError)?.code == .unknownHost }
    }

    @Test func `a listed proxy vouches for a host, if that is one`() throws {
        #expect(try page("map.example.org", isSecure: true, isForwarded: true) == "https://map.example.org/")
        #expect(throws: SharingError.self) { try page("map.example.org/evil", isForwarded: true) }
        #expect(throws: SharingError.self) { try page(nil, isForwarded: true) }
    }

    @Test func `with origins a link leads to the one that was asked, or else to the first`() throws {
        let origins = ["https://Map.example.org", "http://map.lan:8080"]
        #expect(try page("evil.example", origins: origins) == "https://map.example.org/")
        #expect(try page("localhost:8080", origins: origins) == "https://map.example.org/")
        #expect(try page(nil, origins: origins) == "https://map.example.org/")
        #expect(try page("map.lan:8080", origins: origins) == "http://map.lan:8080/")
        #expect(try page("evil.example", origins: origins, isForwarded: true) == "https://map.example.org/")
    }

    @Test func `a machine without a name has no other`() throws {
        let machine = PublicAddress.Machine(name: "", addresses: [])
        let address = PublicAddress(origins: .own, machine: { machine })
        #expect(throws: SharingError.self) {
            try address.page(authority: ".local", isSecure: false, isForwarded: false)
        }
        #expect(PublicAddress.Machine.current.isCalled("localhost"))
    }
}
