import Crypto
import YonderModel

/// How a request is signed: HMAC-SHA1 over its parameters, in base64.
enum RequestSignature {
    /// Parameters that aren't signed: the signature itself, and what clients add for the way there.
    private static let unsigned: Set<String> = ["signature", "_", "_method", "callback"]

    /// What is signed: every parameter as `name=value`, `method` and `path` among them, joined by `&`.
    ///
    /// They are ordered by name, then by value, and nothing is escaped. Names and values are ordered by UTF-16 code units, as the clients' languages do.
    static func text(of parameters: FormParameters, method: String, path: String) -> String {
        var pairs = parameters.list
            .filter { !unsigned.contains($0.name) && $0.name != "method" && $0.name != "path" }
            .map { ($0.name, $0.value) }
        pairs += [("method", method), ("path", path)]
        return pairs.sorted(by: isBefore).map { "\($0)=\($1)" }.joined(separator: "&")
    }

    private static func isBefore(_ left: (String, String), _ right: (String, String)) -> Bool {
        guard left.0 == right.0 else {
            return left.0.utf16.lexicographicallyPrecedes(right.0.utf16)
        }
        return left.1.utf16.lexicographicallyPrecedes(right.1.utf16)
    }

    /// The signature of a text.
    static func signature(of text: String, secret: SigningSecret) -> String {
        let key = SymmetricKey(data: Array(secret.text.utf8))
        let code = HMAC<Insecure.SHA1>.authenticationCode(for: Array(text.utf8), using: key)
        return Base64.text(Array(code))
    }

    /// Whether a signature is one of those that the request could have.
    ///
    /// It takes as long whichever is right, or none.
    static func isValid(_ signature: String, for texts: [String], secret: SigningSecret) -> Bool {
        var isValid = false
        for text in texts {
            let expected = Self.signature(of: text, secret: secret)
            let isThis = ConstantTime.areEqual(signature.utf8, expected.utf8)
            isValid = isThis || isValid
        }
        return isValid
    }
}

/// Comparing what somebody might guess byte by byte.
enum ConstantTime {
    /// Whether two texts are the same; takes as long wherever they differ.
    ///
    /// Their length is no secret.
    static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(left, right) { difference |= one ^ other }
        return difference == 0
    }
}

/// Bytes as text (RFC 4648, section 4), with padding.
enum Base64 {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let letter = letters[Int(bits >> UInt32(18 - 6 * place) & 63)]
                text.append(place <= group.count ? letter : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
