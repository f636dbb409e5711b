package import YonderGeodesy
import YonderModel

/// The public part of a key with which a program signs its requests; the secret is stored apart from it.
///
/// `KeyEndpoints` makes one for `yonder key add`, the stores keep it, and `Signatures` looks it up by its id. What isn't
/// valid isn't made. Forms of ids and secrets must stay, as apps have them (`KeyRule` in `TestSupport/Stores`). That the
/// description of a secret is hidden must stay; ``limit`` may be changed.
package struct SigningKey: Hashable, Sendable, Identifiable {
    /// The identifier that a request names: 1…64 bytes of ASCII letters, digits, `_` and `-`.
    package let id: String

    /// The owner's name for the key: 1…100 characters, none of them a control character.
    package let name: String

    /// The requests that the key permits.
    package let rights: Rights

    /// The time of creation.
    package let created: Timestamp

    /// The requests that a key permits.
    package enum Rights: String, Hashable, Sendable, CaseIterable {
        /// Reading, as a member may.
        case read
        /// Reading and writing, as an owner may.
        case write
    }

    /// The most keys of a server.
    package static let limit = 100

    /// Creates a key; `nil` if the id or the name isn't valid: see ``id`` and ``name``.
    package init?(id: String, name: String, rights: Rights, created: Timestamp) {
        let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy(Self.isAllowed),
            (1...100).contains(name.count), name.utf8.count <= 400, !hasControls
        else { return nil }
        self.id = id
        self.name = name
        self.rights = rights
        self.created = created
    }

    /// Draws the id of a new key: 128 random bits in hexadecimal digits.
    package static func randomID() -> String { HexDigits.random(words: 2) }

    /// The order of lists of keys: oldest first, then by id.
    package static func isListedBefore(_ left: SigningKey, _ right: SigningKey) -> Bool {
        (left.created, left.id) < (right.created, right.id)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// The secret of a ``SigningKey``: known only to its program and to the server.
///
/// A signature can be checked only with the secret itself, so the server stores it in the clear, unlike other
/// secrets. It is never printed, so that no log contains it by accident.
package struct SigningSecret: Hashable, Sendable {
    /// The secret, whose UTF-8 bytes are the HMAC key: 16…256 bytes of visible ASCII.
    package let text: String

    /// Creates a secret; `nil` if the text isn't valid: see ``text``.
    package init?(_ text: String) {
        guard (16...256).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }

    private init(digits: String) {
        text = digits
    }

    /// Draws a new secret: 256 random bits in hexadecimal digits.
    package static func random() -> SigningSecret { SigningSecret(digits: HexDigits.random(words: 4)) }
}

extension SigningSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A fixed text that doesn't reveal the secret.
    package var description: String { "(secret)" }

    /// A fixed text that doesn't reveal the secret.
    package var debugDescription: String { description }

    /// A mirror without children, so that the secret isn't revealed.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
