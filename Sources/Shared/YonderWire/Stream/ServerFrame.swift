package import YonderGeodesy
public import YonderModel

/// A frame from the server on the stream.
///
/// The hub makes and writes frames (`ServerFrame+Writing.swift`), the client reads them (`ServerFrame+Parsing.swift`) and
/// passes each to the subscription of its topic or the request of its key. `hello` comes first; each subscription is
/// answered before its changes; all else comes in any order. A further frame is a case here with both files, a sample in
/// `StreamSamples`, and a section in `Documentation/stream.md`; clients that don't know it pass over it.
///
/// Nothing here fails; reading does. ``pageLimit`` may change; names are in the files beside this one and must stay
/// (`DocumentedFrameTests`, `ServerFrameTests`).
package enum ServerFrame: Hashable, Sendable {
    /// The first frame of a session.
    case hello(Hello)
    /// A page of messages: the answer, or what a session missed.
    case messages(MessagesFrame)
    /// A page of the caller's chats; in the last one, `next` is where the list goes on if not all fit.
    case chats(id: Int64, topic: Int64, isCurrent: Bool, next: ChatPlace? = nil, [NamedChat])
    /// The caller's contacts.
    case contacts(id: Int64, topic: Int64, isCurrent: Bool, [User])
    /// The participants of a chat who are online.
    case presence(id: Int64, topic: Int64, isCurrent: Bool, online: [UserID])
    /// The members of the world; `you` is the caller's own pin.
    case world(id: Int64, topic: Int64, isCurrent: Bool, you: String?, pins: [WorldPin])
    /// A page of the shares in a chat or of the caller's own.
    case shares(SharesKind, id: Int64, topic: Int64, isCurrent: Bool, [ShownShare])
    /// The content of a region, or the changes in it.
    case region(RegionFrame)
    /// A message was sent.
    case message(topic: Int64, Message)
    /// A chat is new to the caller, or changed.
    case chat(topic: Int64, NamedChat)
    /// Something happened in a chat of the caller's.
    case activity(topic: Int64, ChatActivity)
    /// The caller left a chat.
    case chatLeft(topic: Int64, ChatID)
    /// A contact is new, or has another name, picture or hue.
    case contact(topic: Int64, User)
    /// A user is no longer a contact.
    case contactGone(topic: Int64, UserID)
    /// A participant came online or went offline.
    case online(topic: Int64, UserID, Bool)
    /// Shares that are new, over, or whose freshness is another.
    case sharesChanged(SharesKind, topic: Int64, [ShareChange])
    /// A pin of the world is new, or moved.
    case pin(topic: Int64, WorldPin)
    /// A pin left the world.
    case gone(topic: Int64, String)
    /// A subscription ended because the caller asked.
    case unsubscribed(id: Int64)
    /// A subscription ended because the caller may no longer see.
    case ended(id: Int64, topic: Int64, SharingError)
    /// A message is on disk; or, without a number, was handed on.
    case sent(key: String, chat: ChatID, number: Int64?, time: Timestamp)
    /// A chat was started, or was there.
    case started(key: String, existed: Bool, NamedChat)
    /// A share was started, changed or ended, and its `Share` message is on disk.
    case shared(key: String, ShownShare, number: Int64?, time: Timestamp)
    /// All of the caller's shares that ran are over.
    case stopped(key: String, [ShareID])
    /// A participant asks the caller where they are.
    case asked(chat: ChatID, user: UserID)
    /// A frame was refused.
    case error(FrameRefusal)
    /// The answer to `ping`.
    case pong(time: Timestamp)

    /// How many bytes a page of an answer has at most, unless one entry alone has more.
    package static let pageLimit = 65_536
}

/// The kind of shares in a frame.
package enum SharesKind: String, Hashable, Sendable {
    /// The shares of all participants of a chat.
    case freshness
    /// The caller's own, in any chat.
    case shares
}

/// The caller's identity, and the limits of the session.
package struct Hello: Hashable, Sendable {
    /// The version of the stream.
    package var version: Int64

    /// The caller, or `nil` without an account.
    package var user: UserID?

    /// The caller's name, or `nil` without an account.
    package var name: String?

    /// The server's clock.
    package var time: Timestamp

    /// The version of the web page that this server has, or `nil` if it has none.
    package var page: String?

    /// The server's name among those of a cluster, or `nil` for one that is alone.
    package var node: String?

    /// Whether a subscription to freshness may ask for partial shares.
    package var hasPartialShares: Bool

    /// The limits of the session.
    package var limits: StreamLimits

    /// Creates a greeting.
    package init(
        version: Int64 = 1,
        user: UserID? = nil,
        name: String? = nil,
        time: Timestamp,
        page: String? = nil,
        node: String? = nil,
        hasPartialShares: Bool = true,
        limits: StreamLimits = StreamLimits()
    ) {
        self.version = version
        self.user = user
        self.name = name
        self.time = time
        self.page = page
        self.node = node
        self.hasPartialShares = hasPartialShares
        self.limits = limits
    }
}

/// The limits of a session.
package struct StreamLimits: Hashable, Sendable {
    /// Bytes of a frame.
    package var frame: Int64

    /// Bytes of a message's content and data.
    package var message: Int64

    /// Subscriptions at a time.
    package var subscriptions: Int64

    /// Creates limits, by default the usual ones.
    package init(
        frame: Int64 = Int64(ClientFrame.byteLimit),
        message: Int64 = Int64(Message.byteLimit),
        subscriptions: Int64 = 256
    ) {
        self.frame = frame
        self.message = message
        self.subscriptions = subscriptions
    }
}

/// A page of messages.
package struct MessagesFrame: Hashable, Sendable {
    /// The subscription.
    package var id: Int64

    /// The topic that changes will carry.
    package var topic: Int64

    /// The oldest number that the caller may read.
    package var first: Int64

    /// The number up to which all matches have been sent.
    package var through: Int64

    /// Whether it is the last page.
    package var isCurrent: Bool

    /// Oldest first.
    package var messages: [Message]

    /// Creates a page.
    package init(
        id: Int64,
        topic: Int64,
        first: Int64,
        through: Int64,
        isCurrent: Bool,
        messages: [Message]
    ) {
        self.id = id
        self.topic = topic
        self.first = first
        self.through = through
        self.isCurrent = isCurrent
        self.messages = messages
    }
}

/// A member of the world.
package struct WorldPin: Hashable, Sendable {
    /// Random per connection, tied to no account.
    package let pin: String

    /// The position, or `nil` before the first move.
    package let at: WorldPosition?

    /// Creates a pin.
    package init(pin: String, at: WorldPosition? = nil) {
        self.pin = pin
        self.at = at
    }
}

/// A chat, and who its people are.
public struct NamedChat: Hashable, Sendable, Identifiable {
    /// The chat; as a client reads it, spans say no more than who is present.
    public var chat: Chat

    /// Its people; who is missing here has no name.
    public var users: [UserID: User]

    /// How the caller's list shows it, or `nil` where that isn't known.
    public var view: ChatView?

    /// Names a chat's people.
    public init(_ chat: Chat, users: [UserID: User], view: ChatView? = nil) {
        self.chat = chat
        self.users = users
        self.view = view
    }

    /// The chat after a change, which is one of this chat.
    package mutating func apply(_ activity: ChatActivity) {
        if let written = activity.written { chat.written = written }
        // The times of two messages may be the other way around than their numbers.
        if let active = activity.active { chat.active = max(chat.active, active) }
        var view = view ?? ChatView(read: ReadPosition())
        if let preview = activity.preview { view.preview = preview }
        // A read position never goes back, in whatever order servers of a cluster hear of it.
        if let read = activity.read, read.number >= view.read.number { view.read = read }
        if !activity.reads.isEmpty {
            view.reads = (view.reads ?? [:]).merging(activity.reads, uniquingKeysWith: max)
        }
        self.view = view
    }

    /// The chat's id.
    public var id: ChatID { chat.id }
}
