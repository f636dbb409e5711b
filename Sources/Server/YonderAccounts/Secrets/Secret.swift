import Crypto
import YonderModel
package import YonderRules

/// 256 random bits that serve as a credential.
///
/// Only the ``hash`` is stored, so a copy of the store isn't enough to sign in.
///
/// `Accounts` draws them for sessions, links, tokens and invitations, `Authenticator` reads those of requests. A
/// stranger's text that isn't one is `nil`, before anything is looked up. Length, alphabet and SHA-256 must stay: stored
/// hashes rest on them (`SecretTests`). A secret stands in no log.
package struct Secret: Sendable {
    /// The secret's form in a link, a header or a cookie: 43 characters of base64url.
    package let text: String

    /// The hash, which is stored.
    package let hash: SecretHash

    /// Reads a received secret; `nil` if the text doesn't have the form of one.
    package init?(_ text: String) {
        self.init(text.utf8)
    }

    /// Reads a received secret; `nil` if the text doesn't have the form of one.
    package init?(_ text: some Collection<UInt8>) {
        guard text.count == 43, let bytes = Base64URL.bytes(text), bytes.count == 32 else { return nil }
        self.init(bytes: bytes)
    }

    private init?(bytes: [UInt8]) {
        guard let hash = SecretHash(Array(SHA256.hash(data: bytes))) else { return nil }
        text = Base64URL.text(bytes)
        self.hash = hash
    }

    /// Draws a new secret from the system's generator.
    package static func random() -> Secret {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        guard let secret = Secret(bytes: bytes) else { preconditionFailure("SHA-256 has 32 bytes") }
        return secret
    }
}

extension SecretHash {
    /// An identifier of the credential for display that doesn't reveal the secret: 63 bits of the hash, as a
    /// decimal string.
    package var publicID: String {
        String(bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1)
    }
}
