public import YonderGeodesy

/// A user as the server keeps them.
public struct Account: Hashable, Sendable {
    /// What others see.
    public var user: User

    /// The name typed at sign-in, unique, 1…64 bytes of lower-case letters, digits, `.`, `_` and `-`; or `nil` for
    /// somebody who signs in with links alone.
    public var login: String?

    /// The password's scrypt hash with its parameters, or `nil`.
    public var passwordHash: String?

    /// Whether this is the operator, who may do what is meant for owners.
    public var isOperator: Bool

    /// When it was made.
    public let created: Timestamp

    /// Creates an account as stored.
    public init(
        user: User,
        login: String? = nil,
        passwordHash: String? = nil,
        isOperator: Bool = false,
        created: Timestamp
    ) {
        self.user = user
        self.login = login
        self.passwordHash = passwordHash
        self.isOperator = isOperator
        self.created = created
    }

    /// Whether `login` may be a login name.
    public static func isValid(login: String) -> Bool {
        (1...64).contains(login.utf8.count)
            && login.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
    }
}

/// The SHA-256 of a secret: what is kept instead of it.
public struct SecretHash: Hashable, Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Takes a digest; `nil` unless it has 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}

/// Something that signs a user in.
public struct Credential: Hashable, Sendable {
    /// What it is good for.
    public enum Kind: String, Hashable, Sendable {
        /// Good once, for 15 minutes.
        case link
        /// A browser's cookie.
        case session
        /// A program's bearer token.
        case token
    }

    /// The secret's hash.
    public let secret: SecretHash

    /// What it is good for.
    public let kind: Kind

    /// Whom it signs in.
    public let user: UserID

    /// What its owner calls it, possibly empty; at most 100 characters.
    public let label: String

    /// When it was made.
    public let created: Timestamp

    /// When it stops being good, or `nil` for never.
    public let expires: Timestamp?

    /// Creates a credential.
    public init(
        secret: SecretHash,
        kind: Kind,
        user: UserID,
        label: String = "",
        created: Timestamp,
        expires: Timestamp?
    ) {
        self.secret = secret
        self.kind = kind
        self.user = user
        self.label = label
        self.created = created
        self.expires = expires
    }

    /// Whether it is good at `now`.
    public func isGood(at now: Timestamp) -> Bool {
        expires.map { $0 > now } ?? true
    }
}

/// A link that makes two users contacts, good once.
public struct Invitation: Hashable, Sendable {
    /// The secret's hash.
    public let secret: SecretHash

    /// Who invites.
    public let sender: UserID

    /// When it was made.
    public let created: Timestamp

    /// When it stops being good.
    public let expires: Timestamp

    /// Creates an invitation.
    public init(secret: SecretHash, sender: UserID, created: Timestamp, expires: Timestamp) {
        self.secret = secret
        self.sender = sender
        self.created = created
        self.expires = expires
    }
}
