package import YonderModel

/// The holder of a write allowance.
package enum Writer: Hashable, Sendable {
    /// A user, over all of their connections.
    case person(UserID)

    /// One network address of an app that signs its requests with a key.
    case app(key: String, network: String)
}
