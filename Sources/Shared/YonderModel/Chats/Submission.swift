public import YonderGeodesy

/// Something that wants a number in a chat's log.
public struct Submission: Hashable, Sendable {
    /// The action to perform.
    public enum Action: Hashable, Sendable {
        /// A message is sent.
        case message(MessageDraft)
        /// Recalls a message of the sender; an owner may recall any message.
        case recall(number: Int64)
        /// The subject changes; not in a one-to-one chat.
        case subject(String)
        /// Decides whether only owners may change the subject; owners only, not in a one-to-one chat.
        case lockSubject(Bool)
        /// Decides how long the chat keeps positions; owners only, both in a one-to-one chat.
        case keepPositions(PositionKeeping)
        /// People come in; owners only, contacts of theirs, not in a one-to-one chat.
        case add([UserID])
        /// The sender goes out.
        case leave
        /// The sender goes out and can't be added again; not in a one-to-one chat.
        case stayOut
        /// The sender begins to share their position, under this id unless an implicit share of theirs runs, whose id it takes.
        case startShare(ShareID, ShareWish)
        /// The sender changes a running share of theirs.
        case changeShare(ShareID, ShareEdit)
        /// The sender ends a running share of theirs.
        case stopShare(ShareID)
        /// The server ends a share, in its person's name; needs no key. With a time, it ends as of then, and only if it began before.
        case endShare(ShareID, Share.Ending, before: Timestamp? = nil)
        /// Removes another participant; owners only, not in a one-to-one chat.
        case remove(UserID)
        /// Makes another participant the owner instead of the sender; owners only, not in a one-to-one chat.
        case owner(UserID)
    }

    /// The chat.
    public let chat: ChatID

    /// The user who asks for it.
    public let sender: UserID

    /// The sender's idempotency key, 1…64 characters, unique in the chat per sender: sending again with the same key
    /// returns the first message's number.
    public let key: String

    /// The action to perform.
    public let action: Action

    /// When the server received it.
    public let time: Timestamp

    /// The time of the chat's newest message, or `nil`: the message's own time isn't below it, even if the clock was put back.
    ///
    /// So a log is in the order of its times, and messages are found by time without an index. All else that happens with the
    /// submission, such as the end of a share, has ``time``.
    package var floor: Timestamp?

    /// The session or token that it came by, or `nil` if that doesn't matter; implicit shares are each of one.
    public let source: Int64?

    /// Creates a submission; a store checks it.
    public init(
        chat: ChatID,
        sender: UserID,
        key: String,
        action: Action,
        time: Timestamp,
        source: Int64? = nil
    ) {
        self.chat = chat
        self.sender = sender
        self.key = key
        self.action = action
        self.time = time
        self.source = source
    }

    /// The time of its message.
    package var messageTime: Timestamp { floor.map { max($0, time) } ?? time }

    /// Whether the server does it by itself, under no key.
    package var isServers: Bool {
        if case .endShare = action { true } else { false }
    }

    /// Refuses a key that has no character or over 64, counted as Unicode scalars.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`.
    public static func check(key: String) throws(SharingError) {
        // Counting bytes takes less time, and a text has at least as many of these as characters.
        if (1...64).contains(key.utf8.count) { return }
        guard (1...64).contains(key.unicodeScalars.count) else {
            throw SharingError(.invalidField, "key must have 1 to 64 characters.")
        }
    }

    /// The result of a committed submission.
    public struct Acceptance: Hashable, Sendable {
        /// The message as stored in the log.
        public let message: Message

        /// Whether the key was known: then the message is the first one's, and subscribers aren't sent it again.
        public let isRepeat: Bool

        /// For a recall: the message that lost its content, as it was before; `nil` otherwise.
        public let recalled: Message?

        /// After an `add` the participants that it added, after a `leave` or a `stayOut` the participant that left; else empty.
        public let moved: [Participant]

        /// The number of written messages in the chat, this one included; 0 for a repeat, which subscribers aren't sent.
        public let written: Int64

        /// The new and changed shares; for a repeat, the share that it was about, if it is still known.
        public let shares: [Share]

        /// Creates an acceptance.
        public init(
            message: Message,
            isRepeat: Bool,
            recalled: Message? = nil,
            moved: [Participant] = [],
            written: Int64 = 0,
            shares: [Share] = []
        ) {
            self.message = message
            self.isRepeat = isRepeat
            self.recalled = recalled
            self.moved = moved
            self.written = written
            self.shares = shares
        }
    }
}

/// A message before it has a number.
public struct MessageDraft: Hashable, Sendable {
    /// The message's tag; never a reserved one.
    public let tag: MessageTag

    /// Text, possibly empty.
    public let content: String

    /// A JSON object, or `nil`.
    public let data: MessageData?

    /// When it loses `content` and `data`, by the server's clock, or `nil`.
    public let expires: Timestamp?

    /// Creates a draft.
    public init(tag: MessageTag, content: String = "", data: MessageData? = nil, expires: Timestamp? = nil) {
        self.tag = tag
        self.content = content
        self.data = data
        self.expires = expires
    }

    /// Refuses what no chat takes.
    ///
    /// - Throws: ``SharingError`` with code `reservedTag` or `messageTooLarge`.
    public func check() throws(SharingError) {
        guard !tag.isReserved else {
            throw SharingError(.reservedTag, "tag: \(tag) is reserved for the server; use another tag.")
        }
        guard content.utf8.count + (data?.bytes.count ?? 0) <= Message.byteLimit else {
            throw SharingError(
                .messageTooLarge,
                "content and data together must have at most \(Message.byteLimit) bytes."
            )
        }
    }
}

extension MessageDraft {
    /// Whether another draft is the same on the wire; `String` takes a composed and a decomposed é for one.
    package func hasSameBytes(as other: MessageDraft) -> Bool {
        self == other && content.utf8.elementsEqual(other.content.utf8)
    }
}
