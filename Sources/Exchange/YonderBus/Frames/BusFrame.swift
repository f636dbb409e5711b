package import YonderGeodesy
package import YonderModel
package import YonderRules

/// One frame on the bus, with its node and its number among that node's frames.
///
/// `NodeLink` publishes and receives them; `BusFrame+Coding.swift` has the bytes. A further kind of content is a case
/// here, a byte there, and a branch of `Exchange.receive`. Nodes of two versions run side by side: raise ``version``
/// with a form that an earlier node would read wrongly, never else, as nodes of two versions then read everything from
/// the store. ``byteLimit`` must stay below NATS's `max_payload` (decision 32, `BusFrameTests`).
package struct BusFrame: Hashable, Sendable {
    /// Names a running node: random at each of its starts.
    package let node: UInt64

    /// The frame's number among those of its node, from 1 without gaps, so that other nodes notice a missed frame.
    package let number: UInt64

    /// When the frame was published, by its node's clock.
    package let sent: Timestamp

    /// The content.
    package let content: BusContent

    /// Creates a frame.
    package init(node: UInt64, number: UInt64, sent: Timestamp, content: BusContent) {
        self.node = node
        self.number = number
        self.sent = sent
        self.content = content
    }

    /// The version of the encoding; a node that receives another version reads the store instead.
    static let version: UInt8 = 2

    /// The most bytes of a frame: half of what NATS accepts by default.
    package static let byteLimit = 524_288
}

/// The content of a frame.
package enum BusContent: Hashable, Sendable {
    /// The node runs, and says whether its store has answered lately; sent every second.
    case alive(hasStore: Bool)
    /// The node stops: its users go offline, and its pins are removed.
    case leaving
    /// Messages that were committed, in the order of their numbers in each chat.
    case committed([Published])
    /// A message that isn't stored, and the number of the chat's last message as its node knew it.
    case passed(Published, last: Int64)
    /// Read positions that moved forward.
    case read([ReadMove])
    /// A chat was started.
    case started(ChatID)
    /// A user is named differently, or shows or hides how far they have read.
    case userChanged(UserID, showsReads: Bool?)
    /// A user's contact is new, named differently, or removed.
    case contactChanged(UserID, of: UserID)
    /// Sign-ins of a user that ended.
    case ended(SignInChange)
    /// A heartbeat of a share, which the node received when it published the frame.
    case heartbeat(ShareHeartbeat, share: ShareID, user: UserID, chat: ChatID)
    /// What a writer has used of their write limits on the node since the last such frame.
    case written(WriteUse, by: Writer)
    /// How many positions a user was answered on the node.
    case answered(Int, to: UserID)
    /// A question to a user in a chat.
    case asked(UserID, chat: ChatID, by: UserID)
    /// A participant of a one-to-one chat blocks the other, or no longer does.
    case blocked(BlockChange)
    /// Users whose first session began, and users whose last one ended.
    case presence(came: [UserID], gone: [UserID])
    /// Users with a session on the node: the first answer to ``ask(_:)``, in one page or more.
    case present(PresencePage)
    /// Asks one node, by its number, for its users and pins: the node answers with ``present(_:)``, and with all pins of its
    /// members in ``world(_:)``.
    case ask(UInt64)
    /// News of the node's members of the world, as `WorldNews` encodes them.
    case world([UInt8])
    /// A request to one node, with a number that the asking node gives.
    case request(to: UInt64, number: UInt64, [UInt8])
    /// A part of the answer to a ``request(to:number:_:)``.
    case answer(AnswerPart)
    /// Committed changes of objects.
    case objectsChanged([LaneChange])
    /// An entity was created, changed or deleted.
    case definitionsChanged
    /// Shares that changed without a message: their positions were erased.
    case shares([Share])
}
