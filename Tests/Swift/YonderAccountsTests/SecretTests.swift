import Crypto
import Testing
import YonderModel
import YonderRules
import YonderAccounts

@Suite struct SecretTests {
    @Test func `a secret is 256 bits that never repeat, and hashes to what is kept`() throws {
        let secrets = (0..<1_000).map { _ in Secret.random() }
        #expect(Set(secrets.map(\.text)).count == 1_000)
        for secret in secrets.prefix(10) {
            #expect(secret.text.utf8.count == 43)
            #expect(try #require(Secret(secret.text)).hash == secret.hash)
        }
    }

    @Test func `it is the hash of the bytes`() throws {
        let secret = try #require(Secret(String(repeating: "A", count: 43)))
        #expect(secret.hash.bytes == Array(SHA256.hash(data: [UInt8](repeating: 0, count: 32))))
    }

    @Test(arguments: [
        "", "A", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
        String(repeating: "A", count: 42) + "B", String(repeating: "A", count: 42) + "=",
        String(repeating: "A", count: 42) + "+", String(repeating: "é", count: 21) + "A",
    ])
    func `text of another form is no secret`(text: String) {
        #expect(Secret(text)?.text == nil)
    }
}
