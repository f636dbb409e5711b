public import YonderGeodesy

/// The rows that a sign-in stores in one transaction: a session, its browser, and the network that the request came from.
public struct SessionStart: Hashable, Sendable {
    /// The secret of the session.
    public let session: SecretHash

    /// The secret by which the browser is known, as the browser sent it; `nil` if it sent none.
    public let device: SecretHash?

    /// The secret by which the browser is known from now on, unless it is known by ``device``.
    public let newDevice: SecretHash

    /// The browser's name; may be empty.
    public let browser: String

    /// The network that the session is listed with.
    public let network: String

    /// The network that further attempts are recognized by.
    public let subnet: String

    /// The server's time.
    public let time: Timestamp

    /// When the session ends.
    public let expires: Timestamp

    /// When the browser is forgotten.
    public let deviceExpires: Timestamp

    /// Creates a start.
    public init(
        session: SecretHash,
        device: SecretHash?,
        newDevice: SecretHash,
        browser: String,
        network: String,
        subnet: String,
        time: Timestamp,
        expires: Timestamp,
        deviceExpires: Timestamp
    ) {
        self.session = session
        self.device = device
        self.newDevice = newDevice
        self.browser = browser
        self.network = network
        self.subnet = subnet
        self.time = time
        self.expires = expires
        self.deviceExpires = deviceExpires
    }

    /// The most browsers of a user that are remembered; the oldest is forgotten first.
    public static let deviceLimit = 20

    /// The proof that the user may start the session.
    public enum Proof: Hashable, Sendable {
        /// The user's password was checked.
        case password(UserID)
        /// A sign-in link, which is used up.
        case link(SecretHash)
        /// An invitation, which is used up, and makes the account.
        case invitation(SecretHash, creating: Account)
    }

    /// The result of a sign-in.
    public struct Outcome: Hashable, Sendable {
        /// The user who is signed in.
        public let user: User

        /// Whether the browser is still known by the secret that it sent.
        public let knewDevice: Bool

        /// The sender of the invitation.
        public let contact: User?

        /// Creates an outcome.
        public init(user: User, knewDevice: Bool, contact: User? = nil) {
            self.user = user
            self.knewDevice = knewDevice
            self.contact = contact
        }
    }

    /// The session's credential.
    package func credential(of user: UserID) -> Credential {
        Credential(
            secret: session,
            kind: .session,
            user: user,
            label: browser,
            network: network,
            created: time,
            expires: expires,
            lastSeen: time
        )
    }

    /// The browser's credential.
    package func device(_ secret: SecretHash, of user: UserID) -> Credential {
        Credential(
            secret: secret,
            kind: .device,
            user: user,
            label: browser,
            created: time,
            expires: deviceExpires
        )
    }
}
