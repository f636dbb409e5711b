public import YonderGeodesy
public import YonderModel

/// What is new in a live region, compared with what the client holds of it, which is nothing before the first frame.
///
/// A client removes the items that left, then stores those that entered and changed, each whole, then applies
/// the moves.
///
/// `RegionRoom` of the hub makes the bytes by `RegionPageWriter`; the client reads them by `RegionFrame+Parsing.swift`, for
/// `RegionList`. The frames of one topic come in order, and each is relative to the one before, so none may be left out. A
/// further member must be one that older clients may ignore (decision 9, `Documentation/stream.md`).
///
/// ``limits`` and ``defaultLimit`` may change with that page. Nothing here fails (`DocumentedFrameTests`, `LiveRegionTests`).
package struct RegionFrame: Hashable, Sendable {
    /// The members of a frame that answers a subscription or a move.
    package struct Answer: Hashable, Sendable {
        /// The subscription.
        package var id: Int64

        /// The step of the move that is answered, or 0 for the subscription itself.
        package var step: Int64

        /// Whether it is the last frame of the answer.
        package var isCurrent: Bool

        /// The most items that the list holds; present for a subscription, not for a move.
        package var limit: Int?

        /// The objects' location field; present together with ``limit`` if the region is one of objects.
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

    /// The request that is answered, or `nil` for an update.
    package var answer: Answer?

    /// The number of items inside, listed or not; `nil` if it is the same as in the last frame.
    package var total: Int?

    /// The items to remove from the list.
    package var left: [RegionKey]

    /// The items to add to the list.
    package var entered: [RegionItem]

    /// The items to replace with a newer version.
    package var changed: [RegionItem]

    /// The items of which only the position changed.
    package var moved: [RegionMove]

    /// The limits that a subscription may request.
    package static let limits = 0...1_000

    /// The limit of a subscription that requests none.
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

/// The identity of an item in a region.
package enum RegionKey: Hashable, Sendable {
    /// An object.
    case object(ObjectID)
    /// A person; a user has one key for each chat shared with the caller.
    case person(ChatID, UserID)
}

/// An item in a region, whole.
package enum RegionItem: Hashable, Sendable {
    /// An object; read from a frame, its ``ObjectRecord/coordinate`` is `nil`.
    case object(ObjectRecord)
    /// A person.
    case person(RegionPerson)

    /// The item's identity.
    package var key: RegionKey {
        switch self {
        case .object(let record): .object(record.id)
        case .person(let person): person.key
        }
    }
}

/// The new position of an item in a region.
package enum RegionMove: Hashable, Sendable {
    /// An object.
    case object(ObjectMove)
    /// A person, without the name.
    case person(RegionPerson)

    /// The item's identity.
    package var key: RegionKey {
        switch self {
        case .object(let move): .object(move.id)
        case .person(let person): person.key
        }
    }
}

/// An object of which only the position changed.
public struct ObjectMove: Hashable, Sendable {
    /// The object.
    public let id: ObjectID

    /// The new position.
    public let coordinate: Coordinate.Rounded

    /// The new altitude above mean sea level, or `nil` if there is none.
    public let altitude: Distance?

    /// The time of the change.
    public let updated: Timestamp

    /// Creates a move.
    public init(id: ObjectID, coordinate: Coordinate.Rounded, altitude: Distance? = nil, updated: Timestamp) {
        self.id = id
        self.coordinate = coordinate
        self.altitude = altitude
        self.updated = updated
    }
}

/// A person at the last position in a chat that the caller shares with the person.
public struct RegionPerson: Hashable, Sendable {
    /// The chat.
    public let chat: ChatID

    /// The person.
    public let user: UserID

    /// The person's name, or `nil` if an earlier frame gave it.
    public let name: String?

    /// The number of the message that gives the position, or `nil` if the message isn't stored.
    public let number: Int64?

    /// The time of that message.
    public let time: Timestamp

    /// The person's position.
    public let position: Position

    /// Creates a person.
    public init(
        chat: ChatID,
        user: UserID,
        name: String? = nil,
        number: Int64?,
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

    /// The person's identity in a region.
    package var key: RegionKey { .person(chat, user) }
}
