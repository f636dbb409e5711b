import YonderGeodesy
import YonderLocation

/// What is said on an open connection to a receiver: gpsd's JSON, or a receiver's own sentences.
///
/// A value without a clock or a socket. It reads what comes and says what follows from it.
protocol ReceiverConversation: Sendable {
    /// What is sent before hanging up on purpose, or `nil` if nothing is.
    var farewell: String? { get }

    /// Begins afresh on a connection that was just made.
    mutating func open(at time: Timestamp) -> [ConversationEvent]

    /// Reads the next bytes, cut anywhere.
    mutating func read(_ bytes: Span<UInt8>, at time: Timestamp) -> [ConversationEvent]

    /// What was begun is as complete as it will be: the connection is no more.
    mutating func end(at time: Timestamp) -> [ConversationEvent]

    /// Another ``ReceiverTiming/silence`` has gone by since the beginning or the last call.
    mutating func tick() -> [ConversationEvent]
}

/// What follows from what a receiver said.
enum ConversationEvent: Sendable {
    /// This is to be sent.
    case send(String)

    /// The program may read the receiver.
    case permitted

    /// There is a receiver, the program may read it, and it is understood.
    case found

    /// Positions, or none if there is no fix.
    case positions([Position])

    /// Something is wrong; the conversation goes on.
    case failure(LocationError)

    /// The receiver is gone; the conversation goes on, as it may come back.
    case lost(LocationError)

    /// There is no sense in going on: hang up, and try again later.
    case hangUp(LocationError)
}

extension [ConversationEvent] {
    /// Appends positions, together with those just before.
    mutating func append(_ position: Position) {
        if case .positions(let before) = last, !before.isEmpty {
            self[count - 1] = .positions(before + [position])
        } else {
            append(.positions([position]))
        }
    }
}
