package import YonderModel

/// The holder of a write allowance.
///
/// `WriteAllowances` counts by it, and nodes send it with what was used (`WriteUse+Coding.swift`): a further case needs
/// a byte there.
package enum Writer: Hashable, Sendable {
    /// A user, over all of their connections.
    case person(UserID)

    /// One network address of an app that signs its requests with a key.
    case app(key: String, network: String)
}
