package import YonderGeodesy
package import YonderModel

/// The rows that a sign-in stores in one transaction: a session, its browser, and the network that the request came from.
///
/// `Accounts` makes one after it has checked the password, or for a link or invitation, which the store uses up in the
/// same transaction; `AccountStore.startSession` stores it. The store refuses a link or invitation that is no longer
/// good, and then nothing is stored. That proof and session are one transaction must stay: a link is good once
/// (`StoreRule+Accounts.swift`). ``deviceLimit`` may be changed.
package struct SessionStart: Hashable, Sendable {
    /// The secret of the session.
    package let session: SecretHash

    /// The secret by which the browser is known, as the browser sent it; `nil` if it sent none.
    package let device: SecretHash?

    /// The secret by which the browser is known from now on, unless it is known by ``device``.
    package let newDevice: SecretHash

    /// The browser's name; may be empty.
    package let browser: String

    /// The network that the session is listed with.
    package let network: String

    /// The network that further attempts are recognized by.
    package let subnet: String

    /// The server's time.
    package let time: Timestamp

    /// When the session ends.
    package let expires: Timestamp

    /// When the browser is forgotten.
    package let deviceExpires: Timestamp

    /// Creates a start.
    package init(
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
    package static let deviceLimit = 20

    /// The proof that the user may start the session.
    package enum Proof: Hashable, Sendable {
        /// The user's password was checked, against the account of this version.
        case password(UserID, version: Int64)
        /// A sign-in link, which is used up.
        case link(SecretHash)
        /// An invitation, which is used up, and makes the account.
        case invitation(SecretHash, creating: Account)
    }

    /// The result of a sign-in.
    package struct Outcome: Hashable, Sendable {
        /// The user who is signed in.
        package let user: User

        /// Whether the browser is still known by the secret that it sent.
        package let knewDevice: Bool

        /// The sender of the invitation.
        package let contact: User?

        /// Creates an outcome.
        package init(user: User, knewDevice: Bool, contact: User? = nil) {
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
