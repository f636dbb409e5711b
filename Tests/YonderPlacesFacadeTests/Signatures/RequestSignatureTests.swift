import TestSupport
import Testing
import YonderModel

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
        #expect(RequestSignature.signature(of: text, secret: secret) == "huwlIVnTZxy2DnV0YAjwxHVVrGk=")
    }

    @Test func `a text beyond ASCII is signed as UTF-8`() throws {
        let text = "method=POST&path=/data/cafe&set-at=41.64,-0.88|Calle Mayor 1&set-name=Café ☕️ & más"
        let secret = try #require(SigningSecret(Self.secret))
        #expect(RequestSignature.signature(of: text, secret: secret) == "JOJ07WChKcJgc3dDrshO7hm8TRs=")
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
        let good = RequestSignature.signature(of: "b", secret: secret)
        #expect(RequestSignature.isValid(good, for: ["a", "b"], secret: secret))
        #expect(RequestSignature.isValid(good, for: ["b", "a"], secret: secret))
        #expect(!RequestSignature.isValid(good, for: ["a"], secret: secret))
        #expect(!RequestSignature.isValid(good + "=", for: ["b"], secret: secret))
        #expect(!RequestSignature.isValid(String(good.dropLast()), for: ["b"], secret: secret))
        #expect(!RequestSignature.isValid(good.lowercased(), for: ["b"], secret: secret))
        #expect(!RequestSignature.isValid("", for: ["b"], secret: secret))
        #expect(!RequestSignature.isValid(good, for: ["b"], secret: .random()))
    }

    @Test func `a comparison looks at every byte wherever the first difference is`() {
        let bytes = Array("ipzB9/s8GthdC4e6JVv5EwUOm6Y=".utf8)
        #expect(ConstantTime.areEqual(bytes, bytes))
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1
            let (left, right) = (CountedBytes(bytes), CountedBytes(other))
            #expect(!ConstantTime.areEqual(left, right))
            #expect(left.reads == bytes.count && right.reads == bytes.count)
        }
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("\u{7F}~\u{7F}", "f35/"),
    ])
    func `base64 is that of RFC 4648`(bytes: String, text: String) {
        #expect(Base64.text(Array(bytes.utf8)) == text)
    }
}

/// Bytes that know how often one of them was read.
private struct CountedBytes: Collection {
    private final class Tally {
        var reads = 0
    }

    private let bytes: [UInt8]
    private let tally = Tally()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var reads: Int { tally.reads }
    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count }
    func index(after index: Int) -> Int { index + 1 }

    subscript(index: Int) -> UInt8 {
        tally.reads += 1
        return bytes[index]
    }
}
