public import YonderGeodesy

/// Participants, a subject, and a log of numbered messages.
///
/// The stores keep it, `ChatRules` change it, and frames send it to the participants. Creating one checks nothing. A stored
/// word for ``positions`` that this version doesn't know is kept, and read as the keeping that keeps least.
/// ``participantLimit`` stands in `Documentation/stream.md`; it may be raised with the cost of a chat's frames in mind. The
/// order of lists must stay that of the stores' statements (`ChatListsTests`, `StoreRule+Chats`).
public struct Chat: Hashable, Sendable, Identifiable {
    /// Names it everywhere.
    public let id: ChatID

    /// Whether it is the one chat of a pair.
    public let isOneToOne: Bool

    /// The chat's topic for people to read; at most 200 characters, may be empty.
    public var subject: String

    /// Whether only an owner may change the subject; never in a one-to-one chat, whose subject can't change.
    public var isSubjectLocked: Bool

    /// How long positions are kept in it.
    public var positions: PositionKeeping {
        didSet { unknownPositions = nil }
    }

    /// The stored word for ``positions`` if this version doesn't know it, or `nil`; assigning ``positions`` removes the word.
    package var unknownPositions: String?

    /// All present and former participants, in the order of their first `Join`.
    public var participants: [Participant]

    /// The number of its oldest message that is still kept; `last + 1` if none is.
    public var first: Int64

    /// The number of its newest message; 0 before the first.
    public var last: Int64

    /// How many messages were written in it, recalled and removed ones among them: ``Message/written`` of the newest.
    public var written: Int64

    /// When something last happened in it: a written message, `Share`, `Join`, `Leave` or `Subject`; else ``created``.
    public var active: Timestamp

    /// When it was started.
    public let created: Timestamp

    /// Creates a chat as a store has it.
    public init(
        id: ChatID,
        isOneToOne: Bool,
        subject: String,
        isSubjectLocked: Bool = false,
        positions: PositionKeeping = .standard,
        participants: [Participant],
        first: Int64 = 1,
        last: Int64 = 0,
        written: Int64 = 0,
        active: Timestamp? = nil,
        created: Timestamp
    ) {
        self.id = id
        self.isOneToOne = isOneToOne
        self.subject = subject
        self.isSubjectLocked = isSubjectLocked
        self.positions = positions
        self.participants = participants
        self.first = first
        self.last = last
        self.written = written
        self.active = active ?? created
        self.created = created
    }

    /// The most people that may be in a chat at once.
    public static let participantLimit = 5_000

    /// The order of lists of chats: the one where something happened last first, then by id.
    package static func isListedBefore(_ left: Chat, _ right: Chat) -> Bool {
        (right.active, left.id) < (left.active, right.id)
    }

    /// The participant that `user` is or was, or `nil`.
    public func participant(_ user: UserID) -> Participant? {
        participants.first { $0.user == user }
    }

    /// Whether `user` is in it now.
    public func isPresent(_ user: UserID) -> Bool {
        participant(user)?.isPresent ?? false
    }
}
