public import YonderGeodesy

/// The part of a chat list's row that isn't in ``Chat``: the last written messages, and the read positions.
///
/// A store answers one for each chat of a list, `ChatLists` of the hub keeps them, and each participant is sent a
/// ``ChatView`` of it. A plain value. Which participant is sent which read positions is decided in
/// ``view(of:for:isClosed:)`` alone, so that REST and the stream agree. The limits are promised in `Documentation/stream.md`
/// (decision 20).
///
/// Nothing fails. ``depth`` may change: it bounds what a store searches for each chat of a list (`ChatListsTests`,
/// `StoreRule+Reads`).
public struct ChatReading: Hashable, Sendable {
    /// The last written messages that are neither recalled nor expired, newest first.
    ///
    /// Only the last ``depth`` written messages are searched, and the text is cut to ``MessagePreview/contentLimit``.
    public var newest: [MessagePreview]

    /// The read positions of the users that were asked for, without users who have read nothing.
    public var positions: [UserID: ReadPosition]

    /// The users among them who hide their read position.
    public var hidden: Set<UserID>

    /// The number of written messages that are searched for ``newest``.
    public static let depth = 16

    /// The most participants of a chat in which read positions are sent to the others.
    public static let mutualLimit = 100

    /// Creates a reading as a store found it.
    public init(
        newest: [MessagePreview] = [],
        positions: [UserID: ReadPosition] = [:],
        hidden: Set<UserID> = []
    ) {
        self.newest = newest
        self.positions = positions
        self.hidden = hidden
    }

    /// The view of the chat for one participant's list.
    ///
    /// - Parameters:
    ///   - chat: The chat.
    ///   - participant: The participant.
    ///   - isClosed: Whether a participant blocks the other one: then neither is shown how far the other has read.
    /// - Returns: The view.
    public func view(of chat: Chat, for participant: Participant, isClosed: Bool = false) -> ChatView {
        ChatView(
            read: positions[participant.user] ?? ReadPosition(),
            preview: newest.first { participant.mayRead($0.number) },
            reads: isClosed ? nil : reads(of: chat, for: participant.user)
        )
    }

    /// How far the other participants have read, sent only to a participant who shows their own read position.
    private func reads(of chat: Chat, for user: UserID) -> [UserID: Int64]? {
        guard !hidden.contains(user), Self.isMutual(chat) else { return nil }
        var reads: [UserID: Int64] = [:]
        for other in chat.participants where other.isPresent && other.user != user {
            guard !hidden.contains(other.user), let position = positions[other.user] else { continue }
            reads[other.user] = position.number
        }
        return reads
    }

    /// Whether a chat is small enough that participants are sent each other's read positions.
    package static func isMutual(_ chat: Chat) -> Bool {
        chat.participants.count(where: \.isPresent) <= mutualLimit
    }
}

/// The beginning of a written message, for a list of chats.
public struct MessagePreview: Hashable, Sendable {
    /// The message's number.
    public let number: Int64

    /// The user who wrote it.
    public let sender: UserID

    /// The message's tag.
    public let tag: MessageTag

    /// The first ``contentLimit`` characters of its text.
    public let content: String

    /// When the server received it.
    public let time: Timestamp

    /// When it expires, or `nil` for never.
    public let expires: Timestamp?

    /// How many characters of a message's text are kept, counted as Unicode scalars.
    public static let contentLimit = 200

    /// Creates a preview; `content` is cut.
    public init(
        number: Int64,
        sender: UserID,
        tag: MessageTag,
        content: String,
        time: Timestamp,
        expires: Timestamp? = nil
    ) {
        self.number = number
        self.sender = sender
        self.tag = tag
        let end = content.unicodeScalars.index(
            content.startIndex,
            offsetBy: Self.contentLimit,
            limitedBy: content.endIndex
        )
        self.content = String(content.unicodeScalars[..<(end ?? content.endIndex)])
        self.time = time
        self.expires = expires
    }

    /// The preview of a message; `nil` unless it was written, is kept and isn't recalled.
    public init?(_ message: Message) {
        guard let number = message.number, message.tag.isWritten, !message.isRecalled else { return nil }
        self.init(
            number: number,
            sender: message.sender,
            tag: message.tag,
            content: message.content,
            time: message.time,
            expires: message.expires
        )
    }
}

/// A chat as one participant's list shows it.
public struct ChatView: Hashable, Sendable {
    /// The participant's own read position.
    public var read: ReadPosition

    /// The newest written message that they may read and that is neither recalled nor expired, or `nil`.
    public var preview: MessagePreview?

    /// The other participants' read positions; `nil` in large and in closed chats, and for a participant who hides their own.
    public var reads: [UserID: Int64]?

    /// Creates a view.
    public init(read: ReadPosition, preview: MessagePreview? = nil, reads: [UserID: Int64]? = nil) {
        self.read = read
        self.preview = preview
        self.reads = reads
    }
}

/// A change to one row of a participant's chat list; a `nil` member is unchanged.
public struct ChatActivity: Hashable, Sendable {
    /// The chat.
    public let chat: ChatID

    /// The number of written messages in it.
    public var written: Int64?

    /// The time of the chat's last activity: a written message, `Share`, `Join`, `Leave` or `Subject`.
    public var active: Timestamp?

    /// The newest written message; `.some(nil)` if there is none now.
    public var preview: MessagePreview??

    /// The participant's own read position.
    public var read: ReadPosition?

    /// The changed read positions of the other participants.
    public var reads: [UserID: Int64]

    /// Creates a change.
    public init(
        chat: ChatID,
        written: Int64? = nil,
        active: Timestamp? = nil,
        preview: MessagePreview?? = nil,
        read: ReadPosition? = nil,
        reads: [UserID: Int64] = [:]
    ) {
        self.chat = chat
        self.written = written
        self.active = active
        self.preview = preview
        self.read = read
        self.reads = reads
    }
}
