package import YonderGeodesy
package import YonderModel

/// The effect of one entry of a chat's log on the map of people.
///
/// `PeopleFeed` of the hub makes one of each committed message that has such an effect, and passes it to
/// ``PeopleMap/receive(_:)``, those of a chat in the order of their numbers. A further kind of message that moves or hides
/// people needs a case here.
///
/// That positions of a later time win, and not those of a later number, must stay (decision 13, `PeopleMapTests`).
package struct PeopleChange: Hashable, Sendable {
    /// The kinds of effect.
    package enum Event: Hashable, Sendable {
        /// A participant sent a position.
        case located(UserID, Sighting)
        /// Users joined the chat.
        case came([Participant])
        /// Participants left the chat.
        case went([UserID])
        /// A participant's message was recalled.
        case recalled(Int64, of: UserID)
        /// Positions of a user can't be read any more, for example after an expiring share ended.
        case hidden(of: UserID)
    }

    /// The chat.
    package let chat: ChatID

    /// The number of the log entry.
    package let number: Int64

    /// The effect.
    package let event: Event

    /// Creates a change.
    package init(chat: ChatID, number: Int64, _ event: Event) {
        self.chat = chat
        self.number = number
        self.event = event
    }

    /// Creates the effect of a log entry, or returns `nil` if the entry doesn't affect the map.
    ///
    /// A message that isn't stored has no effect: it has no place in the log, so a viewer who subscribes a
    /// moment later couldn't receive it.
    ///
    /// - Parameters:
    ///   - message: The entry, as it was committed.
    ///   - moved: Who came in or went out by it.
    ///   - recalled: For a recall, the message that was taken back.
    ///   - hidesPositions: Whether positions of its sender can't be read any more.
    package init?(_ message: Message, moved: [Participant], recalled: Message?, hidesPositions: Bool = false)
    {
        let hidden = hidesPositions && moved.isEmpty ? Event.hidden(of: message.sender) : nil
        guard let number = message.number, let event = hidden ?? Self.event(message, moved, recalled) else {
            return nil
        }
        self.init(chat: message.chat, number: number, event)
    }

    private static func event(_ message: Message, _ moved: [Participant], _ recalled: Message?) -> Event? {
        if let recalled { return recalled.number.map { .recalled($0, of: recalled.sender) } }
        if let first = moved.first {
            return first.isPresent ? .came(moved) : .went(moved.map(\.user))
        }
        return Sighting(message).map { .located(message.sender, $0) }
    }
}

/// A participant's position, as one `Location` message of a chat gives it.
package struct Sighting: Hashable, Sendable {
    /// The message's number.
    package let number: Int64

    /// The time at which the server received the message.
    package let time: Timestamp

    /// The time at which the message expires, or `nil` for never.
    package let expires: Timestamp?

    /// The position.
    package let position: Position

    /// The position's coordinate, rounded as in the index.
    package let coordinate: Coordinate.Rounded

    /// Reads a message's position; `nil` unless the message is a kept `Location` with a position.
    package init?(_ message: Message) {
        guard let number = message.number, let position = message.position else { return nil }
        self.number = number
        time = message.time
        expires = message.expires
        self.position = position
        coordinate = position.coordinate.rounded
    }

    /// The order among a user's positions.
    var recency: Recency { Recency(moment: position.timestamp, number: number) }

    func isExpired(at now: Timestamp) -> Bool {
        expires.map { $0 <= now } ?? false
    }
}
