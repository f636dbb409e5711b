public import YonderModel

/// A chat in the list of chats.
///
/// `ChatsModel` makes one for each chat at each change, and a view shows it; texts come from `ChatTexts.swift`
/// (`ChatsModelTests`).
public struct ChatRow: Hashable, Sendable, Identifiable {
    /// The chat.
    public let id: ChatID

    /// The chat's name.
    public let name: String

    /// The newest written message in one line, or else who is in the chat.
    public let preview: String

    /// When something last happened.
    public let time: String

    /// Whether the chat has unread messages; the view draws the row in bold then.
    public let isUnread: Bool

    /// How many messages are new, as a badge has it: *3*, *99+*; empty for none.
    public let badge: String

    /// The same for a voice: *3 new messages*; empty for none.
    public let unread: String

    /// Whether another participant is connected now.
    public let isConnected: Bool

    /// The same in words; empty if none is connected, or it isn't known.
    public let presence: String

    /// The first other participants, at most two.
    public let faces: [Face]
}
