package import YonderGeodesy
package import YonderModel

/// The author of a change of an account: for the log, and for the events that the account's user sees.
///
/// `RESTCall` makes one of the caller, the control socket one of the system's user; `Accounts` logs it and stores the
/// event. Events are shown to the account's user, so an author's name is stored with it, as it was
/// (`Documentation/rest.md`).
package struct Author: Hashable, Sendable {
    /// The name in the log: a user's id, or the command line.
    package let name: String

    /// The author's relation to the account.
    package let actor: AccountEvent.Actor

    /// The network address of the request, or `nil` for none.
    package let network: String?

    /// Creates an author.
    package init(name: String, actor: AccountEvent.Actor, network: String?) {
        self.name = name
        self.actor = actor
        self.network = network
    }

    /// The server itself, or a person at its command line.
    package static let server = Author(name: "the server", actor: .server, network: nil)

    /// The event of a change that this author made.
    package func event(_ change: AccountEvent.Change, at time: Timestamp) -> AccountEvent {
        AccountEvent(time: time, change: change, actor: actor, network: network)
    }
}
