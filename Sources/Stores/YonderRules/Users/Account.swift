package import YonderGeodesy
package import YonderModel

/// A user as the server keeps them.
///
/// `Accounts` makes and changes accounts by an ``AccountStore``, which returns them as they are stored; endpoints show parts
/// of them. A plain value, whose checks are where it is made (``Profile``, ``AccountChange``). A further property needs a
/// column in both databases (`AccountTable`), and must not leave the server unless an endpoint writes it: `passwordHash`
/// never does.
///
/// `StoreRule+Accounts.swift` holds what the stores return of it; JSON and names of columns aren't made here.
package struct Account: Hashable, Sendable {
    /// The part of the account that other users see.
    package var user: User

    /// The name typed at sign-in, unique, 1…64 bytes of lower-case letters, digits, `.`, `_` and `-`; or `nil` for
    /// an account that signs in with links alone.
    package var login: String?

    /// The password's scrypt hash with its parameters, or `nil`.
    package var passwordHash: String?

    /// Whether this is the operator, who may do what is meant for owners.
    package var isOperator: Bool

    /// Whether an operator has disabled it: signing in fails, and its tokens are refused.
    package var isDisabled: Bool

    /// Whether this person's read positions are sent to others, and theirs to this person.
    package var showsReads: Bool

    /// When it was made.
    package let created: Timestamp

    /// When a request or a connection was last made with one of its sessions or tokens, to about a minute; `nil` for never.
    package var lastSeen: Timestamp?

    /// How often what signs the person in, or what they may do, has changed: raised by the store in the transaction that
    /// disables the account, changes the operator's role or the password, or ends a session or token.
    package var version: Int64 = 0

    /// Creates an account as stored.
    package init(
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
    package static func isValid(login: String) -> Bool {
        (1...64).contains(login.utf8.count)
            && login.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
    }
}

extension Account {
    /// Checks that a credential of a kind may be made for the account as it is stored.
    ///
    /// - Throws: `accountDisabled` for a link to a disabled account; `notAllowed` for a token for accounts of a user who is
    ///   no operator.
    package func check(mayHave kind: Credential.Kind) throws(SharingError) {
        switch kind {
        case .link: if isDisabled { throw .accountDisabled }
        case .accounts: if !isOperator { throw .operatorsTokenOnly }
        case .session, .token, .device: break
        }
    }
}

/// An operator's change of an account; a `nil` member is unchanged.
package struct AccountChange: Hashable, Sendable {
    /// The name that others see, as in ``Profile``.
    package var name: String?

    /// The e-mail address, as in ``Profile``; `.some(nil)` removes it.
    package var email: String??

    /// The name typed at sign-in, as in ``Account``; `.some(nil)` removes it.
    package var login: String??

    /// Whether this is an operator.
    package var isOperator: Bool?

    /// Whether it is disabled.
    ///
    /// Disabling ends its sessions, links and known devices; its tokens are kept.
    package var isDisabled: Bool?

    /// Creates a change of nothing.
    package init() {}

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
package struct SecretHash: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// Creates a hash from a digest; `nil` unless it has 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// The number by which implicit shares refer to a session or token: the hash's first 63 bits.
    package var source: Int64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) } & .max
    }
}

/// Something that signs a user in.
package struct Credential: Hashable, Sendable {
    /// The kind of credential.
    package enum Kind: String, Hashable, Sendable {
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
    package let secret: SecretHash

    /// The kind of credential.
    package let kind: Kind

    /// The user whom it signs in.
    package let user: UserID

    /// The name that its owner gave it, or the browser's; at most 100 characters, may be empty.
    package let label: String

    /// The network address that it was last used from, or `nil` if that isn't known.
    package var network: String?

    /// When it was made.
    package let created: Timestamp

    /// When it stops being good, or `nil` for never.
    package let expires: Timestamp?

    /// When it was last used, to about a minute; `nil` for never.
    package var lastSeen: Timestamp?

    /// Creates a credential.
    package init(
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
    package func isGood(at now: Timestamp) -> Bool {
        expires.map { $0 > now } ?? true
    }
}

/// A use of a credential.
package struct CredentialUse: Hashable, Sendable {
    /// The credential.
    package let credential: SecretHash

    /// Its user.
    package let user: UserID

    /// When.
    package let time: Timestamp

    /// From which network address, or `nil` if that isn't known.
    package let network: String?

    /// Creates a sighting.
    package init(credential: SecretHash, user: UserID, time: Timestamp, network: String?) {
        self.credential = credential
        self.user = user
        self.time = time
        self.network = network
    }
}

/// A link that makes two users contacts, good once.
package struct Invitation: Hashable, Sendable {
    /// The secret's hash.
    package let secret: SecretHash

    /// The user who invites.
    package let sender: UserID

    /// When it was made.
    package let created: Timestamp

    /// When it stops being good.
    package let expires: Timestamp

    /// Creates an invitation.
    package init(secret: SecretHash, sender: UserID, created: Timestamp, expires: Timestamp) {
        self.secret = secret
        self.sender = sender
        self.created = created
        self.expires = expires
    }
}

/// The credentials that a change of a password ends.
package struct CredentialEnd: Hashable, Sendable {
    /// The kinds that end.
    package let kinds: Set<Credential.Kind>

    /// The credential that stays, or `nil`.
    package let kept: SecretHash?

    /// Whether every session and token of the person ends, but `kept`: with them ends what they made for others to use.
    package var endsInvitations: Bool { kinds.isSuperset(of: [.session, .token]) }

    /// Creates an end of all credentials of these kinds but `kept`.
    package init(_ kinds: Set<Credential.Kind> = [], except kept: SecretHash? = nil) {
        self.kinds = kinds
        self.kept = kept
    }
}
