public import YonderGeodesy

/// A place in a user's list of chats, which stays where it is when its chat changes or is left.
///
/// Lists are ordered by the last activity, newest first, then by id.
///
/// Pages of chats continue behind one, over REST and the stream; its text is in `ChatPlace+Text.swift`. The order must be
/// that of the stores' lists (`ChatListsTests`).
public struct ChatPlace: Hashable, Sendable {
    /// When the chat's last activity was.
    public let active: Timestamp

    /// The chat.
    public let chat: ChatID

    /// Creates a place.
    public init(active: Timestamp, chat: ChatID) {
        self.active = active
        self.chat = chat
    }
}

extension Chat {
    /// Its place in its participants' lists.
    public var place: ChatPlace { ChatPlace(active: active, chat: id) }
}
