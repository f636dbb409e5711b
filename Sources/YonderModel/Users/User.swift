/// A person with an account.
public struct User: Hashable, Sendable, Identifiable {
    /// Names this person everywhere.
    public let id: UserID

    /// What others see, 1…100 characters.
    public var name: String

    /// The address others see in a callout, at most 254 bytes and not verified, or `nil`.
    public var email: String?

    /// Where a picture is, as an absolute https URL or a path of this server, or `nil`.
    public var avatar: String?

    /// Creates a user as stored or received; ``Profile/validate()`` checks what people type.
    public init(id: UserID, name: String, email: String? = nil, avatar: String? = nil) {
        self.id = id
        self.name = name
        self.email = email
        self.avatar = avatar
    }
}

/// What a person says about themselves: the part of a ``User`` that they may change.
public struct Profile: Hashable, Sendable {
    /// What others see, 1…100 characters with no control characters.
    public var name: String

    /// An e-mail address with one `@`, at most 254 bytes, or `nil`.
    public var email: String?

    /// An absolute https URL or a path that begins with `/`, at most 500 bytes, or `nil`.
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
        let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard (1...100).contains(name.count), name.utf8.count <= 400, !hasControls,
            !name.allSatisfy(\.isWhitespace)
        else {
            throw SharingError(.invalidField, "A name has 1 to 100 visible characters.")
        }
        if let email, !Self.isPlausible(email: email) {
            throw SharingError(.invalidField, "The e-mail address is not one.")
        }
        if let avatar, !Self.isPlausible(avatar: avatar) {
            throw SharingError(.invalidField, "An avatar is an https URL or a path of this server.")
        }
    }

    private static func isPlausible(email: String) -> Bool {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && email.utf8.count <= 254
            && email.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    private static func isPlausible(avatar: String) -> Bool {
        // Browsers take a backslash for a slash: behind a first slash both name another server.
        let isPath = avatar.hasPrefix("/") && !avatar.hasPrefix("//") && !avatar.hasPrefix("/\\")
        return avatar.utf8.count <= 500 && (isPath || avatar.hasPrefix("https://"))
            && avatar.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
    }
}
