/// A person with an account.
///
/// The stores keep it with the account, frames and REST send it, and apps show it. Creating one checks nothing. `Accounts`
/// calls ``Profile/validate()`` for what a person or an operator typed, which throws `invalidField` with the field's name.
/// Limits of a name, an address and a picture may be changed with `Documentation/rest.md` and `openapi.yaml`; longer ones
/// that are stored stay. An avatar must stay a path or an https URL, because the page uses it as an address (`UserTests`).
/// The server sends ``removedName`` in place of a removed account's name; it may change.
public struct User: Hashable, Sendable, Identifiable {
    /// Names this person everywhere.
    public let id: UserID

    /// The name that others see, 1…100 characters.
    public var name: String

    /// The address others see in a callout, at most 254 characters and not verified, or `nil`.
    public var email: String?

    /// The picture's address: an absolute https URL or a path of this server, or `nil`.
    public var avatar: String?

    /// The hue in which the user is drawn, in degrees of ``Hue/range``; `nil` before the first contact.
    public var hue: Int?

    /// The name shown for a user whose account was removed.
    public static let removedName = "Removed user"

    /// Creates a user as stored or received; ``Profile/validate()`` checks what people type.
    public init(
        id: UserID,
        name: String,
        email: String? = nil,
        avatar: String? = nil,
        hue: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.avatar = avatar
        self.hue = hue
    }
}

extension User {
    /// The user's profile after a change.
    package func profile(_ change: (inout Profile) -> Void) -> Profile {
        var profile = Profile(name: name, email: email, avatar: avatar)
        change(&profile)
        return profile
    }
}

/// A person's profile: the part of a ``User`` that the person may change.
public struct Profile: Hashable, Sendable {
    /// The name that others see, 1…100 characters that ``DisplayName`` allows, not all of them white space.
    public var name: String

    /// An e-mail address with one `@`, at most 254 characters, or `nil`.
    public var email: String?

    /// An absolute https URL or a path that begins with `/`, at most 500 characters, or `nil`.
    ///
    /// The server's own page shows pictures of its own server alone, and initials for others.
    public var avatar: String?

    /// Creates a profile; ``validate()`` says whether it is acceptable.
    public init(name: String, email: String? = nil, avatar: String? = nil) {
        self.name = name
        self.email = email
        self.avatar = avatar
    }

    /// Refuses what the properties' documentation doesn't allow.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`.
    public func validate() throws(SharingError) {
        guard DisplayName.isPlain(name, lengths: 1...100),
            !name.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        else {
            throw SharingError(
                .invalidField,
                "name must have 1 to 100 characters, not spaces alone, and no control or text direction characters."
            )
        }
        if let email, !Self.isPlausible(email: email) {
            throw SharingError(.invalidField, "email must be an e-mail address of at most 254 characters.")
        }
        if let avatar, !Self.isPlausible(avatar: avatar) {
            throw SharingError(.invalidField, "avatar must be an https URL or a path of this server.")
        }
    }

    private static func isPlausible(email: String) -> Bool {
        let parts = email.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && DisplayName.isPlain(email, lengths: 3...254) && !email.utf8.contains(0x20)
    }

    private static func isPlausible(avatar: String) -> Bool {
        // Browsers take a backslash for a slash: behind a first slash both name another server.
        let bytes = avatar.utf8
        let isPath =
            bytes.first == UInt8(ascii: "/") && !bytes.starts(with: "//".utf8)
            && !bytes.starts(with: "/\\".utf8)
        return avatar.unicodeScalars.count <= 500 && (isPath || bytes.starts(with: "https://".utf8))
            && avatar.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
    }
}
