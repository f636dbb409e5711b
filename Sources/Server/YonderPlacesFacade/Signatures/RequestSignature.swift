import Crypto
import YonderModel
import YonderRules
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The signature of a request: HMAC-SHA1 over its parameters, in base64.
///
/// `Signatures` checks each signed request with it. Nothing throws: a signature in another form isn't valid. The text,
/// the order of the parameters and SHA-1 are what old apps sign with, and must stay (`RequestSignatureTests`). The
/// comparison's time must not depend on where two differ.
enum RequestSignature {
    /// The parameters that aren't signed: the signature itself, and those that clients add for transport.
    private static let unsigned: Set<String> = ["signature", "_", "_method", "callback"]

    /// The signed text: all parameters as `name=value`, with `method` and `path`, joined by `&`.
    ///
    /// The parameters are sorted by name, then by value, in order of UTF-16 code units as in the clients'
    /// languages. Nothing is escaped.
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

    /// Whether a signature is valid for one of the texts that the client may have signed.
    ///
    /// The time doesn't depend on which of the texts matches, if any.
    static func isValid(_ signature: String, for texts: [String], secret: SigningSecret) -> Bool {
        // The length of 20 bytes with padding: the decoder would accept excess padding, too.
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
