/// A message below a chat's map.
///
/// `MessagesModel` makes one for each message at each change, and a view shows it (`MessagesModelTests`).
public struct Bubble: Hashable, Sendable, Identifiable {
    /// The message's place in the list.
    public let id: String

    /// The sender's name; empty for one's own message, and while the name isn't known.
    public let author: String

    /// The message's text, or the note that the message was recalled or has expired.
    public let text: String

    /// When the server took the message, or that it waits to be sent: *14:02*.
    public let time: String

    /// Whether the person sent the message.
    public let isOwn: Bool

    /// Whether another participant sent the message.
    public var isOther: Bool { !isOwn }

    /// Above the first message that the person hasn't read: *3 new*; `nil` above every other message.
    public let mark: String?

    /// The message for a voice: sender, text and time.
    public let spoken: String
}
