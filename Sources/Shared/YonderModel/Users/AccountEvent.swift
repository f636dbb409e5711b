public import YonderGeodesy

/// A change of what signs a user in, which the user sees beside the list of sessions.
///
/// A store writes it in the transaction of the change.
///
/// `Accounts` makes one with each such change, the stores keep it in the same transaction, and `SessionEndpoints` lists them
/// for their user. Nothing fails. Raw values are in databases and in REST's answers, and must stay (`WordRule`,
/// `Documentation/rest.md`); a further change is a case, and its words on the page. ``limit`` may be raised.
public struct AccountEvent: Hashable, Sendable {
    /// The most events of one change that are kept of a user, the newest: so no number of links hides a new password.
    public static let limit = 10

    /// What was changed.
    public enum Change: String, Hashable, Sendable, CaseIterable {
        /// The password was set or removed.
        case password
        /// The e-mail address was changed or removed.
        case email
        /// The name typed at sign-in was changed or removed.
        case login
        /// A sign-in link was made.
        case link
        /// A token was made.
        case token
    }

    /// The author of the change.
    public enum Actor: String, Hashable, Sendable {
        /// The user, in a session.
        case user
        /// An operator.
        case `operator`
        /// The command line of the server.
        case server
    }

    /// The time of the change.
    public let time: Timestamp

    /// What was changed.
    public let change: Change

    /// The author of the change.
    public let actor: Actor

    /// The network address of the request, or `nil` for one of the command line.
    public let network: String?

    /// Creates an event.
    public init(time: Timestamp, change: Change, actor: Actor, network: String? = nil) {
        self.time = time
        self.change = change
        self.actor = actor
        self.network = network
    }

    /// The order of lists: the newest first, at one time by kind.
    package static func isListedBefore(_ left: AccountEvent, _ right: AccountEvent) -> Bool {
        (right.time, left.change.rawValue) < (left.time, right.change.rawValue)
    }
}
