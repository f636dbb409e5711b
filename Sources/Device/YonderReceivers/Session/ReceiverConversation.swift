import YonderGeodesy
import YonderLocation

/// The protocol on an open connection to a receiver: gpsd's JSON, or NMEA sentences.
///
/// A plain value without a clock or a socket, which reads the received bytes and returns events.
///
/// `GpsdConversation` and `NMEAConversation` implement it; `ReceiverSession` calls it on the source's event loop, and turns
/// its events into the source's. Nothing throws: a failure is an event. What each event does to the connection is in
/// `ReceiverSession.carryOut`. A further kind of receiver is one more implementation, tried with `SessionHarness`.
///
/// `SourceConformanceTests` tries both.
protocol ReceiverConversation: Sendable {
    /// The text to send before disconnecting on purpose, or `nil` for none.
    var farewell: String? { get }

    /// Resets the state for a new connection.
    mutating func open(at time: Timestamp) -> [ConversationEvent]

    /// Reads the next bytes, in pieces of any size.
    mutating func read(_ bytes: Span<UInt8>, at time: Timestamp) -> [ConversationEvent]

    /// Call this when the connection has ended: returns the events of incomplete data.
    mutating func end(at time: Timestamp) -> [ConversationEvent]

    /// Call this whenever another ``ReceiverTiming/silence`` has passed since the beginning or the last call.
    mutating func tick() -> [ConversationEvent]
}

/// An event of a conversation.
enum ConversationEvent: Sendable {
    /// Send this text.
    case send(String)

    /// The program may read the receiver.
    case permitted

    /// A receiver exists, the program may read it, and its data is understood.
    case found

    /// Positions; empty if there is no fix.
    case positions([Position])

    /// A failure; the conversation continues.
    case failure(LocationError)

    /// The receiver has vanished; the conversation continues, as it may return.
    case lost(LocationError)

    /// The conversation can't continue: disconnect, and try again later.
    case hangUp(LocationError)
}

extension [ConversationEvent] {
    /// Appends a position, together with those directly before it.
    mutating func append(_ position: Position) {
        if case .positions(let before) = last, !before.isEmpty {
            self[count - 1] = .positions(before + [position])
        } else {
            append(.positions([position]))
        }
    }
}
