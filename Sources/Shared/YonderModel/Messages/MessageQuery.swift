public import YonderGeodesy

/// A query for a chat's messages: conditions joined by *and*, and a limit.
///
/// `ClientFrame` and `MessageEndpoints` read one from a client, `Criteria` and the client's lists make one; the hub groups
/// subscribers by ``filter`` (`TopicTable`), and both stores translate it into SQL (`MessageConditions`). Nothing fails: a
/// limit out of range is moved into it.
///
/// ``matches(_:)`` decides on both ends, and must select what the stores' statements select (`StoreRule+Reading`,
/// `StoreRule+Times`). A further condition is needed in the filter, both `MessageConditions`, the frames and REST, with their
/// documents. The default limit may change with `Documentation/rest.md` and `stream.md`.
public struct MessageQuery: Hashable, Sendable {
    /// The chat.
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

    /// The most messages, the newest ones, in `1...10_000`.
    public var limit: Int

    /// The most messages of an answer by default.
    public static let defaultLimit = 1_000

    /// The greatest `limit` that a query may have.
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
    /// A query with `since` above 0 also matches the messages above it with a tag in ``MessageFilter/emptying``.
    public func matches(_ message: Message) -> Bool {
        message.number.map { $0 > since && $0 < before ?? .max } ?? false
            && (since > 0 ? filter.matches(message) : filter.selects(message))
    }

    /// The tags whose messages a first answer contains whatever the other conditions; with ``since`` as ``MessageFilter/emptying``.
    package var emptying: [MessageTag] { since > 0 ? filter.emptying : [.recall] }

    /// The part of the query that identifies its topic: all but `since`, `before`, `latest` and `limit`.
    public var filter: MessageFilter {
        MessageFilter(chat: chat, tag: tag, sender: sender, from: from, to: to)
    }
}

/// The conditions of a ``MessageQuery`` that a change must meet; those with equal ones share a topic.
public struct MessageFilter: Hashable, Sendable {
    /// The chat.
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

    /// The tags whose messages are sent whatever the other conditions, since they can empty a message that the subscriber has:
    /// `Recall`, and where there can be new positions those with which an expiring share ends.
    package var emptying: [MessageTag] {
        (tag == nil || tag == .location) && to == nil ? [.recall, .share, .leave, .remove] : [.recall]
    }

    /// Whether a new message must be sent to the query's subscriber: it meets the conditions, or has a tag in ``emptying``.
    public func matches(_ message: Message) -> Bool {
        message.chat == chat && (emptying.contains(message.tag) || selects(message))
    }

    /// Whether a message meets the conditions.
    public func selects(_ message: Message) -> Bool {
        message.chat == chat && (tag == nil || message.tag == tag)
            && (sender == nil || message.sender == sender)
            && (from.map { message.time >= $0 } ?? true) && (to.map { message.time < $0 } ?? true)
    }
}
