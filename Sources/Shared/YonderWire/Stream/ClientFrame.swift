package import YonderGeodesy
package import YonderModel

/// A frame from the client on the stream.
///
/// The client makes and writes frames (`ClientFrame+Writing.swift`), `Session` of the hub reads and handles them
/// (`ClientFrame+Parsing.swift`, `Session+Frames.swift`). A frame with a key may be sent again after a lost connection, and
/// is carried out once; one with an id is about a subscription. A further frame is a case here with both files, a sample in
/// `StreamSamples`, and a section in `Documentation/stream.md`; an older server refuses it as unknown.
///
/// Limits may be raised with that page; names must stay, as clients of every version send them (`ClientFrameTests`,
/// `DocumentedFrameTests`).
package enum ClientFrame: Hashable, Sendable {
    /// Asks for a live query under an id of the client's.
    case subscribe(id: Int64, query: StreamQuery)
    /// Ends a subscription.
    case unsubscribe(id: Int64)
    /// Sends a message.
    case send(SendFrame)
    /// Recalls a message.
    case recall(key: String, chat: ChatID, number: Int64)
    /// Changes a chat's subject.
    case subject(key: String, chat: ChatID, subject: String)
    /// Decides whether only owners may change a chat's subject.
    case lockSubject(key: String, chat: ChatID, isLocked: Bool)
    /// Decides how long a chat keeps positions.
    case keepPositions(key: String, chat: ChatID, PositionKeeping)
    /// Adds people to a chat.
    case add(key: String, chat: ChatID, users: [UserID])
    /// Leaves a chat.
    case leave(key: String, chat: ChatID, stayOut: Bool = false)
    /// Removes another participant from a chat.
    case remove(key: String, chat: ChatID, user: UserID)
    /// Makes another participant the owner of a chat.
    case owner(key: String, chat: ChatID, user: UserID)
    /// Reports the number up to which the sender has read a chat.
    case read(chat: ChatID, number: Int64)
    /// Starts a chat.
    case start(key: String, invitees: [UserID], subject: String, isOneToOne: Bool)
    /// Moves the sender's pin in the world, until a time at which the server takes it away, or until the connection ends.
    case pin(at: WorldPosition, until: Timestamp? = nil)
    /// Moves the region of a subscription; `step` names the move in its answer.
    case move(id: Int64, step: Int64, region: Region)
    /// Begins to share one's position in a chat.
    case startShare(key: String, chat: ChatID, ShareWish)
    /// Changes a share of one's own.
    case changeShare(key: String, chat: ChatID, ShareID, ShareEdit)
    /// Ends a share of one's own.
    case stopShare(key: String, chat: ChatID, ShareID)
    /// Ends every share of one's own that the stop means.
    case stopShares(key: String, ShareStop = ShareStop())
    /// A heartbeat of a phone; without a share id, for the share that a position without one belongs to.
    case heartbeat(chat: ChatID, share: ShareID?, ShareHeartbeat)
    /// Asks a participant where they are.
    case ask(key: String, chat: ChatID, user: UserID)
    /// Asks for a `pong`.
    case ping

    /// The most bytes that a frame may have.
    package static let byteLimit = 98_304

    /// The ids that a subscription may have: what every JSON reader takes as a whole number.
    package static let ids: ClosedRange<Int64> = 1...9_007_199_254_740_991

    /// The steps that a move may have; 0 is the subscription itself.
    package static let steps = ids
}

/// A message on its way to the server.
package struct SendFrame: Hashable, Sendable {
    /// The sender's own name for it, 1…64 characters.
    package let key: String

    /// The chat.
    package let chat: ChatID

    /// The message; not yet held to ``MessageDraft/check()``.
    package let draft: MessageDraft

    /// Whether it gets a number and is kept.
    package let keep: Bool

    /// Creates a frame.
    package init(key: String, chat: ChatID, draft: MessageDraft, keep: Bool = true) {
        self.key = key
        self.chat = chat
        self.draft = draft
        self.keep = keep
    }
}

/// The query of a subscription.
package enum StreamQuery: Hashable, Sendable {
    /// Messages of a chat.
    case messages(MessageQuery)
    /// The caller's chats, at most `limit` of them, those with the newest activity.
    case chats(limit: Int)
    /// The caller's contacts.
    case contacts
    /// The participants of a chat who are online.
    case presence(ChatID)
    /// The shares in a chat, and how fresh their positions are.
    case freshness(ChatID, isPartial: Bool = false)
    /// The caller's own running shares, in any chat.
    case shares
    /// The anonymous broadcast.
    case world
    /// Objects of an entity in a region.
    case objects(ObjectRegionQuery)
    /// People with whom the caller shares a chat, in a region.
    case people(PeopleRegionQuery)
}

/// A refusal of a frame, and what it was about as far as that could be read.
package struct FrameRefusal: Error, Hashable, Sendable {
    /// Why.
    package let error: SharingError

    /// The subscription it was about.
    package let id: Int64?

    /// The key it was sent under, if that is one.
    package let key: String?

    /// The chat it was for; said only with a key.
    package let chat: ChatID?

    /// Creates a refusal.
    package init(_ error: SharingError, id: Int64? = nil, key: String? = nil, chat: ChatID? = nil) {
        self.error = error
        self.id = id
        self.key = key
        self.chat = chat
    }
}

extension StreamQuery {
    /// How many chats a list has if the client names no number, and the most chats of a page over REST.
    package static let chatLimit = 1_000

    /// How many chats a list on the stream may have.
    package static let chatLimits = 1...Int64(10_000)
}

extension MessageQuery {
    /// A limit that takes nothing away: everything above ``since``.
    package static let unlimited = Int.max
}
