/// Who of a chat is connected now.
public struct Presence: Hashable, Sendable {
    /// Of which chat.
    public let chat: ChatID

    /// Participants with at least one open session.
    public private(set) var online: Set<UserID>

    /// Creates the presence that an answer brings.
    public init(chat: ChatID, online: Set<UserID> = []) {
        self.chat = chat
        self.online = online
    }

    /// Applies a change.
    ///
    /// - Returns: Whether anything is different after it.
    @discardableResult
    public mutating func set(_ user: UserID, online isOnline: Bool) -> Bool {
        isOnline ? online.insert(user).inserted : online.remove(user) != nil
    }
}
