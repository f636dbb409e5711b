import Testing
import YonderModel
import YonderREST
import YonderTransport

@Suite struct ProxySettingTests {
    @Test(arguments: ["10.0.0.0/33", "10.0.0", "x", "", "::1/129", "10.0.0.1/x"])
    func `an invalid network can't be a proxy`(text: String) {
        #expect(throws: SharingError.self) { try TrustedProxies(listing: [text]) }
    }
}
