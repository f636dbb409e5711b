public import YonderGeodesy
public import YonderModel

/// The server's answer to a sent message.
///
/// `SharingClient+Sending.swift` returns it once the message is stored (`SharingClientTests`).
public struct SentMessage: Hashable, Sendable {
    /// The message's place in the chat's log.
    public let id: Message.ID

    /// The time at which the server received the message.
    public let time: Timestamp
}
