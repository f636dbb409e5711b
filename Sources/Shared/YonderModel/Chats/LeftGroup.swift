/// A group that a user stays out of.
///
/// The stores list them for `StayingOutEndpoints`; ``listLimit`` may change with `Documentation/rest.md`
/// (`StoreRule+Staying`).
public struct LeftGroup: Hashable, Sendable {
    /// The most groups in a list.
    public static let listLimit = 1_000

    /// The group.
    public let chat: ChatID

    /// The group's subject when the user left.
    public let subject: String

    /// Creates a row of the list of groups that a user stays out of.
    public init(chat: ChatID, subject: String) {
        self.chat = chat
        self.subject = subject
    }
}
