import Crypto
import Foundation
import TestSupport
import Testing
import YonderModel
import YonderRules

@testable import YonderPlacesFacade

/// The sums in here were made with `openssl dgst -sha1 -hmac SECRET -binary | base64`.
struct RequestSignatureTests {
    private static let secret = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"

    @Test func `a text is signed with HMAC-SHA1, in base64`() throws {
        let text = """
            key=4fd1&limit=20&method=GET&nonce=0123456789abcdef0123456789abcdef01234567\
            &path=/data/cafe&q=&time=1764000000000
            """
        let secret = try #require(SigningSecret(Self.secret))
        #expect(RequestSignature.isValid("huwlIVnTZxy2DnV0YAjwxHVVrGk=", for: [text], secret: secret))
    }

    @Test func `a text beyond ASCII is signed as UTF-8`() throws {
        let text = "method=POST&path=/data/cafe&set-at=41.64,-0.88|Calle Mayor 1&set-name=Café ☕️ & más"
        let secret = try #require(SigningSecret(Self.secret))
        #expect(RequestSignature.isValid("JOJ07WChKcJgc3dDrshO7hm8TRs=", for: [text], secret: secret))
    }

    @Test func `parameters stand in order, values too, method and path among them, nothing escaped`() throws {
        let form = """
            time=5&q=where+a%3D%3F&params[]=b&params[]=a&key=k&signature=x&_=9&_method=DELETE&callback=c\
            &method=GET&path=%2Fdata%2Fcafe&nonce=n
            """
        let parameters = try FormParameters(form.utf8)
        #expect(
            RequestSignature.text(of: parameters, method: "DELETE", path: "/data/cafe")
                == "key=k&method=DELETE&nonce=n&params=a&params=b&path=/data/cafe&q=where a=?&time=5"
        )
    }

    @Test func `values are ordered by UTF-16 code units`() throws {
        // U+1F600 begins with a surrogate, which comes before U+FB01; by code points it would come behind.
        let parameters = FormParameters([
            .init(name: "params", value: "\u{FB01}"), .init(name: "params", value: "\u{1F600}"),
        ])
        #expect(
            RequestSignature.text(of: parameters, method: "GET", path: "/")
                == "method=GET&params=\u{1F600}&params=\u{FB01}&path=/"
        )
    }

    @Test func `a signature is good for any of the texts and for nothing else`() throws {
        let secret = try #require(SigningSecret(Self.secret))
        let good = secret.signature(of: "b")
        #expect(RequestSignature.isValid(good, for: ["a", "b"], secret: secret))
        #expect(RequestSignature.isValid(good, for: ["b", "a"], secret: secret))
        #expect(!RequestSignature.isValid(good, for: ["a"], secret: secret))
        #expect(!RequestSignature.isValid(good + "=", for: ["b"], secret: secret))
        #expect(!RequestSignature.isValid(String(good.dropLast()), for: ["b"], secret: secret))
        #expect(!RequestSignature.isValid(good.lowercased(), for: ["b"], secret: secret))
        #expect(!RequestSignature.isValid("", for: ["b"], secret: secret))
        #expect(!RequestSignature.isValid(good, for: ["b"], secret: .random()))
    }

    @Test func `a signature with any other byte is none, nor is what isn't base64`() throws {
        let secret = try #require(SigningSecret(Self.secret))
        let good = Array(secret.signature(of: "b").utf8)
        for place in good.indices {
            for byte in [good[place] ^ 1, UInt8(ascii: "!"), UInt8(ascii: " ")] {
                var other = good
                other[place] = byte
                // The last letter before the padding has two bits that mean nothing.
                guard place < 26 || byte != good[place] ^ 1 else { continue }
                let text = String(decoding: other, as: UTF8.self)
                #expect(!RequestSignature.isValid(text, for: ["b"], secret: secret), "\(text)")
            }
        }
    }
}

extension SigningSecret {
    /// What a client signs a text with.
    func signature(of text: String) -> String {
        let key = SymmetricKey(data: Data(self.text.utf8))
        let code = HMAC<Insecure.SHA1>.authenticationCode(for: Data(text.utf8), using: key)
        return Data(code).base64EncodedString()
    }
}
