/// A user in a chat.
///
/// The stores keep it with the chat, `ChatRules` change it, the server decides with ``mayRead(_:)`` which messages a person
/// gets, and frames send it. Nothing fails. A role that this version doesn't know reads as `member`, and its owner may only
/// read. Raw values are in databases and on the wire, and must stay (`WordRule`). The spans decide what a person sees of the
/// time before joining and after leaving; both ends included must stay (`ChatRulesTests`, `Documentation/stream.md`).
///
/// A further role is a case here, a word of `StoredWords`, and a rule of `ChatRules`; older versions let its owner only read.
public struct Participant: Hashable, Sendable {
    /// A participant's permissions.
    public enum Role: String, Hashable, Sendable {
        /// May add and remove people and hand the chat over. The creator is an owner; in a one-to-one chat both are.
        case owner
        /// May read and send.
        case member
    }

    /// The participant's user id.
    public let user: UserID

    /// The participant's permissions.
    public var role: Role {
        didSet { unknownRole = nil }
    }

    /// The stored word for the role if this version doesn't know it, or `nil`; ``role`` is then `member`, and assigning it removes the
    /// word.
    package var unknownRole: String?

    /// The color's number, from 0; ``ParticipantColor`` has its components.
    ///
    /// The first index that was free at their last `Join`, kept with it.
    public var color: Int

    /// When they were in the chat, oldest first and apart from each other; the last one is open while they are in it.
    public var spans: [ParticipationSpan]

    /// Since when the user stays out of the group, or `nil` if the user can be added.
    package var staysOut: StayingOut?

    /// Creates a participant that doesn't stay out: an owner can add them again after they have left.
    public init(user: UserID, role: Role, color: Int, spans: [ParticipationSpan]) {
        self.init(user: user, role: role, color: color, spans: spans, staysOut: nil)
    }

    /// Creates a participant as a store has it.
    package init(
        user: UserID,
        role: Role,
        color: Int,
        spans: [ParticipationSpan],
        staysOut: StayingOut?
    ) {
        self.user = user
        self.role = role
        self.color = color
        self.spans = spans
        self.staysOut = staysOut
    }

    /// Whether they may read and leave, and nothing else: a newer version gave them a role that this one doesn't know.
    package var mayOnlyRead: Bool { unknownRole != nil }

    /// Whether they are in the chat now.
    public var isPresent: Bool { spans.last?.isOpen ?? false }

    /// The numbers they may read now: all their spans while they are in the chat, else none.
    public var readable: [ParticipationSpan] { isPresent ? spans : [] }

    /// Whether they may read the message numbered `number` now.
    public func mayRead(_ number: Int64) -> Bool {
        readable.contains { $0.contains(number) }
    }
}

/// The numbers of the messages that a participant may read: from a `Join` to a `Leave`, both included.
public struct ParticipationSpan: Hashable, Sendable {
    /// The first number: 1 for who started the chat, else that of the `Join`.
    public let first: Int64

    /// The number of the `Leave`, or `nil` while it hasn't come.
    public var last: Int64?

    /// Creates a span of message numbers.
    public init(first: Int64, last: Int64? = nil) {
        self.first = first
        self.last = last
    }

    /// Whether the participant hasn't left since ``first``.
    public var isOpen: Bool { last == nil }

    /// Whether the span has the message with this number.
    public func contains(_ number: Int64) -> Bool {
        number >= first && number <= last ?? .max
    }
}
