public import YonderGeodesy

/// Which messages of a chat, as the wire says it: conditions joined by *and*, and how many.
public struct MessageQuery: Hashable, Sendable {
    /// Of which chat.
    public var chat: ChatID

    /// Only this kind, or `nil` for every kind.
    public var tag: MessageTag?

    /// Only of this sender, or `nil` for everyone's.
    public var sender: UserID?

    /// Only numbers above it; 0 for all.
    public var since: Int64

    /// Only numbers below it, or `nil`.
    public var before: Int64?

    /// Only messages taken at or after this time, or `nil`.
    public var from: Timestamp?

    /// Only messages taken before this time, or `nil`.
    public var to: Timestamp?

    /// Whether only the newest of each sender counts.
    public var latest: Bool

    /// How many of the newest at most, in `1...10_000`.
    public var limit: Int

    /// How many an answer has if nobody says.
    public static let defaultLimit = 1_000

    /// How many an answer may have.
    public static let maximumLimit = 10_000

    /// Creates a query; `limit` is brought into `1...10_000`.
    public init(
        chat: ChatID,
        tag: MessageTag? = nil,
        sender: UserID? = nil,
        since: Int64 = 0,
        before: Int64? = nil,
        from: Timestamp? = nil,
        to: Timestamp? = nil,
        latest: Bool = false,
        limit: Int = defaultLimit
    ) {
        self.chat = chat
        self.tag = tag
        self.sender = sender
        self.since = max(0, since)
        self.before = before
        self.from = from
        self.to = to
        self.latest = latest
        self.limit = min(max(1, limit), Self.maximumLimit)
    }

    /// Whether a message meets the conditions; `latest` and `limit` choose among those that do.
    ///
    /// Who goes on from a number gets every `Recall` above it as well, since what it takes back may be among what
    /// they have.
    public func matches(_ message: Message) -> Bool {
        message.number > since && message.number < before ?? .max
            && (since > 0 ? filter.matches(message) : filter.selects(message))
    }

    /// What distinguishes one live query from another: all but where it begins and how much of it is asked for.
    public var filter: MessageFilter {
        MessageFilter(chat: chat, tag: tag, sender: sender, from: from, to: to)
    }
}

/// The conditions of a ``MessageQuery`` that a change must meet; those with equal ones share a topic.
public struct MessageFilter: Hashable, Sendable {
    /// Of which chat.
    public let chat: ChatID

    /// Only this kind, or `nil`.
    public let tag: MessageTag?

    /// Only of this sender, or `nil`.
    public let sender: UserID?

    /// Only from this time on, or `nil`.
    public let from: Timestamp?

    /// Only before this time, or `nil`.
    public let to: Timestamp?

    /// Creates conditions.
    public init(
        chat: ChatID,
        tag: MessageTag? = nil,
        sender: UserID? = nil,
        from: Timestamp? = nil,
        to: Timestamp? = nil
    ) {
        self.chat = chat
        self.tag = tag
        self.sender = sender
        self.from = from
        self.to = to
    }

    /// Whether a new message concerns whoever asked: it meets the conditions, or is a `Recall` in the chat, since
    /// what that takes back may be among what they have.
    public func matches(_ message: Message) -> Bool {
        message.chat == chat && (message.tag == .recall || selects(message))
    }

    /// Whether a message meets the conditions.
    public func selects(_ message: Message) -> Bool {
        message.chat == chat && (tag == nil || message.tag == tag)
            && (sender == nil || message.sender == sender)
            && (from.map { message.time >= $0 } ?? true) && (to.map { message.time < $0 } ?? true)
    }
}
