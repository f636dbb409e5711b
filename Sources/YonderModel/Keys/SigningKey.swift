public import YonderGeodesy

/// What a program that signs its requests is known by; its secret is apart from it.
public struct SigningKey: Hashable, Sendable, Identifiable {
    /// What a request names: 1…64 bytes of ASCII letters, digits, `_` and `-`.
    public let id: String

    /// What its owner calls it: 1…100 characters without controls.
    public let name: String

    /// What it may be used for.
    public let rights: Rights

    /// When it was made.
    public let created: Timestamp

    /// What a key may be used for.
    public enum Rights: String, Hashable, Sendable, CaseIterable {
        /// To read what a member reads.
        case read
        /// To read and write what an owner does.
        case write
    }

    /// How many there may be.
    public static let limit = 100

    /// Creates a key; `nil` if its id or its name is not as their documentation says.
    public init?(id: String, name: String, rights: Rights, created: Timestamp) {
        let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy(Self.isAllowed),
            (1...100).contains(name.count), name.utf8.count <= 400, !hasControls
        else { return nil }
        self.id = id
        self.name = name
        self.rights = rights
        self.created = created
    }

    /// Draws an id for a new key: 128 random bits in hexadecimal digits.
    public static func randomID() -> String { HexDigits.random(words: 2) }

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

/// The secret of a ``SigningKey``: known to its program and to the server alone.
///
/// A signature can only be checked with the secret itself, so it is kept as it is, unlike any other. It says nothing of
/// itself where a value is printed, so that it gets into no log by accident.
public struct SigningSecret: Hashable, Sendable {
    /// The secret, of which the UTF-8 bytes are the HMAC's key: 16…256 bytes of visible ASCII.
    public let text: String

    /// Takes a secret; `nil` if it is not as its documentation says.
    public init?(_ text: String) {
        guard (16...256).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }

    private init(digits: String) {
        text = digits
    }

    /// Draws a new secret: 256 random bits in hexadecimal digits.
    public static func random() -> SigningSecret { SigningSecret(digits: HexDigits.random(words: 4)) }
}

extension SigningSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of it.
    public var description: String { "(secret)" }

    /// Nothing of it.
    public var debugDescription: String { description }

    /// Nothing of it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

private enum HexDigits {
    /// As many times 64 bits from the system's generator.
    static func random(words: Int) -> String {
        (0..<words).map { _ in
            let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
