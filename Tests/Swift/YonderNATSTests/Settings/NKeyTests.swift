import Crypto
import Foundation
import TestSupport
import Testing

@testable import YonderNATS

struct NKeyTests {
    /// The pair of docs.nats.io, *NKeys* (configuration of a server).
    private static let seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
    private static let publicKey = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"

    @Test func `a seed gives the public key that the documentation has`() throws {
        #expect(try NKey(seed: Self.seed).publicKey == Self.publicKey)
    }

    @Test func `a seed is written as it was read, and a new key has one of its own`() throws {
        #expect(try NKey(seed: Self.seed).seed == Self.seed)
        let new = NKey()
        #expect(try NKey(seed: new.seed).publicKey == new.publicKey)
        #expect(new.seed.hasPrefix("SU") && new.publicKey.hasPrefix("U") && NKey().seed != new.seed)
    }

    @Test func `a signed nonce is verified by the public key and has no padding`() throws {
        let signed = try NKey(seed: Self.seed).sign("DhXdTMAeiHhLDig")

        let bytes = try #require(Base32.decode(Self.publicKey.utf8))
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: bytes[1..<33])
        let base64 = signed.replacing("-", with: "+").replacing("_", with: "/") + "=="
        #expect(signed.utf8.count == 86)
        #expect(
            key.isValidSignature(try #require(Data(base64Encoded: base64)), for: Data("DhXdTMAeiHhLDig".utf8))
        )
        // The signature that another library's test has for this nonce (chartchuo/dart-nats, nkeys_test.dart).
        let other = "WosANJXgeyxerXFo0twRiMG+/ZjYp1K/46bFeFax705yFTCTjM18jWl01gGYk4KKbadiHd+hP3WgUQ2iLZUAAA=="
        #expect(
            key.isValidSignature(try #require(Data(base64Encoded: other)), for: Data("DhXdTMAeiHhLDig".utf8))
        )
    }

    @Test(arguments: [
        "", "SU", "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VA",
        "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3V",
        "suacssl3uahudxkfsnvuzrf5uhpmwz6bfdtj7m6usdxiednppqyyycu3vy",
        "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4",
        "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQ1YYCU3VY",
    ])
    func `a seed with an error is refused and not quoted`(seed: String) {
        #expect { try NKey(seed: seed) } throws: { error in
            (error as? NATSError)?.code == .invalidKey
                && (seed.count < 10 || !"\(error)".contains(seed.prefix(10)))
        }
    }

    @Test func `the key's descriptions have no seed`() throws {
        let key = try NKey(seed: Self.seed)
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] { #expect(!text.contains("SUAC")) }
    }

    @Test func `a file has one seed beside comments`() throws {
        let folder = TemporaryFolder()
        let path = try folder.made() + "/user.nk"
        try "-----BEGIN USER NKEY SEED-----\n# a user\n\n \(Self.seed) \r\n------END USER NKEY SEED------\n"
            .write(toFile: path, atomically: true, encoding: .utf8)

        #expect(try NKey(file: path).publicKey == Self.publicKey)
        try "\(Self.seed)\n\(Self.seed)".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: NATSError.self) { try NKey(file: path) }
        try String(repeating: "#", count: 5_000).write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: NATSError.self) { try NKey(file: path) }
        #expect(throws: NATSError.self) { try NKey(file: folder.path + "missing") }
    }

    @Test func `base32 has the vectors of RFC 4648 without padding`() {
        let vectors = [
            "": "", "f": "MY", "fo": "MZXQ", "foo": "MZXW6", "foob": "MZXW6YQ", "fooba": "MZXW6YTB",
            "foobar": "MZXW6YTBOI",
        ]
        for (text, encoded) in vectors {
            #expect(Base32.encode(Array(text.utf8)) == encoded)
            #expect(Base32.decode(encoded.utf8) == Array(text.utf8))
        }
        #expect(Base32.decode("MZ".utf8) == nil)
        #expect(Base32.decode("M".utf8) == nil)
    }
}
