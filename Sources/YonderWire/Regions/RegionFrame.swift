public import YonderGeodesy
public import YonderModel

/// What is in a live region, or what is different there.
///
/// A client applies what left, then what entered and what changed, each whole, then what moved.
package struct RegionFrame: Hashable, Sendable {
    /// What a frame says that answers a subscription or a move.
    package struct Answer: Hashable, Sendable {
        /// The subscription.
        package var id: Int64

        /// The move that is answered, or 0 for the subscription itself.
        package var step: Int64

        /// Whether it is the last frame of the answer.
        package var isCurrent: Bool

        /// How many things the client is told of at most; said to a subscription, not to a move.
        package var limit: Int?

        /// The field that the objects are found by; said where ``limit`` is, for objects.
        package var field: FieldName?

        /// Creates an answer.
        package init(
            id: Int64,
            step: Int64,
            isCurrent: Bool = true,
            limit: Int? = nil,
            field: FieldName? = nil
        ) {
            self.id = id
            self.step = step
            self.isCurrent = isCurrent
            self.limit = limit
            self.field = field
        }
    }

    /// The subscription's topic.
    package var topic: Int64

    /// What is answered, or `nil` for a change by itself.
    package var answer: Answer?

    /// How many things are inside, listed or not; `nil` if as many as was said last.
    package var total: Int?

    /// What is to be taken off the list.
    package var left: [RegionKey]

    /// What is to be put on the list.
    package var entered: [RegionItem]

    /// What is to be put in the place of an older version of itself.
    package var changed: [RegionItem]

    /// What is elsewhere, and otherwise as it was.
    package var moved: [RegionMove]

    /// How many things a subscription may ask to be told of.
    package static let limits = 0...1_000

    /// How many it is told of if it doesn't say.
    package static let defaultLimit = 300

    /// Creates a frame.
    package init(
        topic: Int64,
        answer: Answer? = nil,
        total: Int? = nil,
        left: [RegionKey] = [],
        entered: [RegionItem] = [],
        changed: [RegionItem] = [],
        moved: [RegionMove] = []
    ) {
        self.topic = topic
        self.answer = answer
        self.total = total
        self.left = left
        self.entered = entered
        self.changed = changed
        self.moved = moved
    }
}

/// What names a thing in a region.
package enum RegionKey: Hashable, Sendable {
    /// An object.
    case object(ObjectID)
    /// A person, once for each chat that the caller shares with them.
    case person(ChatID, UserID)
}

/// A thing in a region, whole.
package enum RegionItem: Hashable, Sendable {
    /// An object; read from a frame, its ``ObjectRecord/coordinate`` is `nil`.
    case object(ObjectRecord)
    /// A person.
    case person(RegionPerson)

    /// What names it.
    package var key: RegionKey {
        switch self {
        case .object(let record): .object(record.id)
        case .person(let person): person.key
        }
    }
}

/// Where a thing in a region went.
package enum RegionMove: Hashable, Sendable {
    /// An object.
    case object(ObjectMove)
    /// A person, without their name.
    case person(RegionPerson)

    /// What names it.
    package var key: RegionKey {
        switch self {
        case .object(let move): .object(move.id)
        case .person(let person): person.key
        }
    }
}

/// An object that is elsewhere: its address and other fields are as before.
public struct ObjectMove: Hashable, Sendable {
    /// Which one.
    public let id: ObjectID

    /// Where it is now.
    public let coordinate: Coordinate.Rounded

    /// How high above mean sea level it is now, or `nil`.
    public let altitude: Distance?

    /// When that happened.
    public let updated: Timestamp

    /// Creates a move.
    public init(id: ObjectID, coordinate: Coordinate.Rounded, altitude: Distance? = nil, updated: Timestamp) {
        self.id = id
        self.coordinate = coordinate
        self.altitude = altitude
        self.updated = updated
    }
}

/// A person at their last position in a chat that the caller shares with them.
public struct RegionPerson: Hashable, Sendable {
    /// The chat.
    public let chat: ChatID

    /// The person.
    public let user: UserID

    /// What they are called, or `nil` where that was said before.
    public let name: String?

    /// The number of the message that said where they are, or 0 if that one isn't kept.
    public let number: Int64

    /// The time of that message.
    public let time: Timestamp

    /// Where they are.
    public let position: Position

    /// Creates a person.
    public init(
        chat: ChatID,
        user: UserID,
        name: String? = nil,
        number: Int64,
        time: Timestamp,
        position: Position
    ) {
        self.chat = chat
        self.user = user
        self.name = name
        self.number = number
        self.time = time
        self.position = position
    }

    /// What names them in a region.
    package var key: RegionKey { .person(chat, user) }
}
