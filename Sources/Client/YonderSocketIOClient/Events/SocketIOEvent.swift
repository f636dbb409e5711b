/// An event that the server sent.
///
/// `EventBoard` makes one of each event of the server for each reader; an app reads it, and may acknowledge it
/// (`SocketIOClientTests`).
public struct SocketIOEvent: Hashable, Sendable {
    /// The event's name.
    public let name: String

    /// The values that it carries, in order.
    ///
    /// Bytes aren't read: in their place is the object that stands for them, as in `{"_placeholder":true,"num":0}`.
    public let arguments: [SocketIOArgument]

    /// How many events of the reader's were dropped before this one, because its queue was full.
    public let missed: Int

    /// What an acknowledgement must repeat, and the connection of the event.
    let acknowledgement: Acknowledgement?

    struct Acknowledgement: Hashable, Sendable {
        let id: UInt64
        let connection: Int
    }

    /// Whether the server asks for an acknowledgement: see ``SocketIOClient/acknowledge(_:_:)``.
    public var wantsAcknowledgement: Bool { acknowledgement != nil }

    /// The first value as text, or `nil` if there is none.
    public var string: String? { arguments.first?.string }
}
