/// The participants of a chat who are connected now.
///
/// The client's `PresenceList` has one and applies frames; nothing fails, and a repeated change has no effect
/// (`MessageTests`).
public struct Presence: Hashable, Sendable {
    /// The chat.
    public let chat: ChatID

    /// Participants with at least one open session.
    public private(set) var online: Set<UserID>

    /// Creates a presence, as an answer of the server gives it.
    public init(chat: ChatID, online: Set<UserID> = []) {
        self.chat = chat
        self.online = online
    }

    /// Applies a change.
    ///
    /// - Returns: Whether the change had an effect.
    @discardableResult
    public mutating func set(_ user: UserID, online isOnline: Bool) -> Bool {
        isOnline ? online.insert(user).inserted : online.remove(user) != nil
    }
}
