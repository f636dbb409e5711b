public import YonderGeodesy

/// A user as the server keeps them.
public struct Account: Hashable, Sendable {
    /// The part of the account that other users see.
    public var user: User

    /// The name typed at sign-in, unique, 1…64 bytes of lower-case letters, digits, `.`, `_` and `-`; or `nil` for
    /// an account that signs in with links alone.
    public var login: String?

    /// The password's scrypt hash with its parameters, or `nil`.
    public var passwordHash: String?

    /// Whether this is the operator, who may do what is meant for owners.
    public var isOperator: Bool

    /// Whether an operator has disabled it: signing in fails, and its tokens are refused.
    public var isDisabled: Bool

    /// Whether this person's read positions are sent to others, and theirs to this person.
    public var showsReads: Bool

    /// When it was made.
    public let created: Timestamp

    /// When a request or a connection was last made with one of its sessions or tokens, to about a minute; `nil` for never.
    public var lastSeen: Timestamp?

    /// How often what signs the person in, or what they may do, has changed: raised by the store in the transaction that disables the account,
    /// changes the operator's role or the password, or ends a session or token.
    public var version: Int64 = 0

    /// Creates an account as stored.
    public init(
        user: User,
        login: String? = nil,
        passwordHash: String? = nil,
        isOperator: Bool = false,
        isDisabled: Bool = false,
        showsReads: Bool = true,
        created: Timestamp,
        lastSeen: Timestamp? = nil
    ) {
        self.user = user
        self.login = login
        self.passwordHash = passwordHash
        self.isOperator = isOperator
        self.isDisabled = isDisabled
        self.showsReads = showsReads
        self.created = created
        self.lastSeen = lastSeen
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

/// An operator's change of an account; a `nil` member is unchanged.
public struct AccountChange: Hashable, Sendable {
    /// The name that others see, as in ``Profile``.
    public var name: String?

    /// The e-mail address, as in ``Profile``; `.some(nil)` removes it.
    public var email: String??

    /// The name typed at sign-in, as in ``Account``; `.some(nil)` removes it.
    public var login: String??

    /// Whether this is an operator.
    public var isOperator: Bool?

    /// Whether it is disabled.
    ///
    /// Disabling ends its sessions, links and known devices; its tokens are kept.
    public var isDisabled: Bool?

    /// Creates a change of nothing.
    public init() {}

    /// The account after the change.
    package func applied(to account: Account) -> Account {
        var changed = account
        changed.user = User(
            id: account.user.id,
            name: name ?? account.user.name,
            email: email ?? account.user.email,
            avatar: account.user.avatar,
            hue: account.user.hue
        )
        changed.login = login ?? account.login
        changed.isOperator = isOperator ?? account.isOperator
        changed.isDisabled = isDisabled ?? account.isDisabled
        return changed
    }
}

/// The SHA-256 of a secret: what is kept instead of it.
public struct SecretHash: Hashable, Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Creates a hash from a digest; `nil` unless it has 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The number by which implicit shares refer to a session or token: the hash's first 63 bits.
    package var source: Int64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) } & .max
    }
}

/// Something that signs a user in.
public struct Credential: Hashable, Sendable {
    /// The kind of credential.
    public enum Kind: String, Hashable, Sendable {
        /// Good once, for 15 minutes.
        case link
        /// A browser's cookie.
        case session
        /// A program's bearer token.
        case token
        /// An operator's bearer token that changes other people's accounts, and is good for nothing else.
        case accounts
        /// A browser that its user has signed in with before: good for nothing but to tell its attempts from a stranger's.
        case device
    }

    /// The secret's hash.
    public let secret: SecretHash

    /// The kind of credential.
    public let kind: Kind

    /// The user whom it signs in.
    public let user: UserID

    /// The name that its owner gave it, or the browser's; at most 100 characters, may be empty.
    public let label: String

    /// The network address that it was last used from, or `nil` if that isn't known.
    public var network: String?

    /// When it was made.
    public let created: Timestamp

    /// When it stops being good, or `nil` for never.
    public let expires: Timestamp?

    /// When it was last used, to about a minute; `nil` for never.
    public var lastSeen: Timestamp?

    /// Creates a credential.
    public init(
        secret: SecretHash,
        kind: Kind,
        user: UserID,
        label: String = "",
        network: String? = nil,
        created: Timestamp,
        expires: Timestamp?,
        lastSeen: Timestamp? = nil
    ) {
        self.secret = secret
        self.kind = kind
        self.user = user
        self.label = label
        self.network = network
        self.created = created
        self.expires = expires
        self.lastSeen = lastSeen
    }

    /// Whether requests are sent with it: a session or a token.
    package var isSignIn: Bool {
        switch kind {
        case .session, .token, .accounts: true
        case .link, .device: false
        }
    }

    /// Whether it is good at `now`.
    public func isGood(at now: Timestamp) -> Bool {
        expires.map { $0 > now } ?? true
    }
}

/// A use of a credential.
public struct CredentialUse: Hashable, Sendable {
    /// The credential.
    public let credential: SecretHash

    /// Its user.
    public let user: UserID

    /// When.
    public let time: Timestamp

    /// From which network address, or `nil` if that isn't known.
    public let network: String?

    /// Creates a sighting.
    public init(credential: SecretHash, user: UserID, time: Timestamp, network: String?) {
        self.credential = credential
        self.user = user
        self.time = time
        self.network = network
    }
}

/// A link that makes two users contacts, good once.
public struct Invitation: Hashable, Sendable {
    /// The secret's hash.
    public let secret: SecretHash

    /// The user who invites.
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
