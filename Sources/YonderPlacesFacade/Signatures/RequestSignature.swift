import Crypto
import Foundation
import YonderModel

/// How a request is signed: HMAC-SHA1 over its parameters, in base64.
enum RequestSignature {
    /// Parameters that aren't signed: the signature itself, and what clients add for the way there.
    private static let unsigned: Set<String> = ["signature", "_", "_method", "callback"]

    /// What is signed: every parameter as `name=value`, `method` and `path` among them, joined by `&`.
    ///
    /// They are ordered by name, then by value, by UTF-16 code units as the clients' languages do, and nothing is escaped.
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

    /// Whether a signature is one of those that the request could have.
    ///
    /// It takes as long whichever is right, or none.
    static func isValid(_ signature: String, for texts: [String], secret: SigningSecret) -> Bool {
        // 20 bytes and their padding: decoding takes padding beyond that, too.
        guard signature.utf8.count == 28, let code = Data(base64Encoded: signature) else { return false }
        let key = SymmetricKey(data: Data(secret.text.utf8))
        var isValid = false
        for text in texts {
            // The library compares in constant time.
            let isThis = HMAC<Insecure.SHA1>.isValidAuthenticationCode(
                code,
                authenticating: Data(text.utf8),
                using: key
            )
            isValid = isThis || isValid
        }
        return isValid
    }
}
