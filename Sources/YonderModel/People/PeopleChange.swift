package import YonderGeodesy

/// What an entry of a chat's log is to the map of people.
package struct PeopleChange: Hashable, Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// Somebody said where they are.
        case located(UserID, Sighting)
        /// People came in.
        case came([Participant])
        /// People went out.
        case went([UserID])
        /// A message of somebody's was taken back.
        case recalled(Int64, of: UserID)
        /// Positions of somebody's can't be read any more, as of an expiring share that ended.
        case hidden(of: UserID)
    }

    /// In which chat.
    package let chat: ChatID

    /// The entry's number.
    package let number: Int64

    /// What happened.
    package let event: Event

    /// Creates a change.
    package init(chat: ChatID, number: Int64, _ event: Event) {
        self.chat = chat
        self.number = number
        self.event = event
    }

    /// What an entry is to the map, or `nil` if that is nothing.
    ///
    /// A message that nobody keeps is nothing to it: it has no place in the log, so who asks a moment later couldn't
    /// be told of it.
    ///
    /// - Parameters:
    ///   - message: The entry, as it was committed.
    ///   - moved: Who came in or went out by it.
    ///   - recalled: For a recall, the message that was taken back.
    ///   - hidesPositions: Whether positions of its sender can't be read any more.
    package init?(_ message: Message, moved: [Participant], recalled: Message?, hidesPositions: Bool = false)
    {
        let hidden = hidesPositions && moved.isEmpty ? Event.hidden(of: message.sender) : nil
        guard message.number > 0, let event = hidden ?? Self.event(message, moved, recalled) else {
            return nil
        }
        self.init(chat: message.chat, number: message.number, event)
    }

    private static func event(_ message: Message, _ moved: [Participant], _ recalled: Message?) -> Event? {
        if let recalled { return .recalled(recalled.number, of: recalled.sender) }
        if let first = moved.first {
            return first.isPresent ? .came(moved) : .went(moved.map(\.user))
        }
        return Sighting(message).map { .located(message.sender, $0) }
    }
}

/// Where somebody was, as a `Location` in a chat says it.
package struct Sighting: Hashable, Sendable {
    /// The message's number.
    package let number: Int64

    /// When the server took the message.
    package let time: Timestamp

    /// When it stops being so, or `nil` for never.
    package let expires: Timestamp?

    /// Where.
    package let position: Position

    /// The same as the index has it.
    package let place: Coordinate.Rounded

    /// What a message says; `nil` unless it is a `Location` with a position.
    package init?(_ message: Message) {
        guard let position = message.position else { return nil }
        number = message.number
        time = message.time
        expires = message.expires
        self.position = position
        place = position.coordinate.rounded
    }

    /// What decides whether it is somebody's newest.
    var recency: Recency { Recency(moment: position.timestamp, number: number) }

    func isExpired(at now: Timestamp) -> Bool {
        expires.map { $0 <= now } ?? false
    }
}
