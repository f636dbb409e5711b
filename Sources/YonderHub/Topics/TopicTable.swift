import YonderModel
import YonderWire

/// The topics of one event loop: one, with a number, for each distinct query that is subscribed to.
struct TopicTable {
    /// The number of the world's topic, which always exists.
    static let worldNumber: Int64 = 1

    private var nextNumber = worldNumber + 1
    private var byFilter: [MessageFilter: MessageTopic] = [:]
    private var byChat: [ChatID: [MessageTopic]] = [:]
    private(set) var chats: [UserID: SessionTopic] = [:]
    private(set) var contacts: [UserID: SessionTopic] = [:]
    private(set) var presence: [ChatID: SessionTopic] = [:]
    private(set) var freshness: [ChatID: SessionTopic] = [:]
    private(set) var shares: [UserID: SessionTopic] = [:]

    /// The topics of a chat's messages.
    @inline(__always)
    func messageTopics(of chat: ChatID) -> [MessageTopic] {
        byChat[chat] ?? []
    }

    mutating func messages(_ filter: MessageFilter) -> MessageTopic {
        if let topic = byFilter[filter] { return topic }
        let topic = MessageTopic(number: draw(), filter: filter)
        byFilter[filter] = topic
        byChat[filter.chat, default: []].append(topic)
        return topic
    }

    mutating func chats(of user: UserID) -> SessionTopic {
        if let topic = chats[user] { return topic }
        let topic = SessionTopic(number: draw())
        chats[user] = topic
        return topic
    }

    mutating func contacts(of user: UserID) -> SessionTopic {
        if let topic = contacts[user] { return topic }
        let topic = SessionTopic(number: draw())
        contacts[user] = topic
        return topic
    }

    mutating func presence(in chat: ChatID) -> SessionTopic {
        if let topic = presence[chat] { return topic }
        let topic = SessionTopic(number: draw())
        presence[chat] = topic
        return topic
    }

    mutating func freshness(in chat: ChatID) -> SessionTopic {
        if let topic = freshness[chat] { return topic }
        let topic = SessionTopic(number: draw())
        freshness[chat] = topic
        return topic
    }

    mutating func shares(of user: UserID) -> SessionTopic {
        if let topic = shares[user] { return topic }
        let topic = SessionTopic(number: draw())
        shares[user] = topic
        return topic
    }

    mutating func removeIfEmpty(_ topic: MessageTopic) {
        guard topic.isEmpty, byFilter[topic.filter] === topic else { return }
        byFilter[topic.filter] = nil
        let chat = topic.filter.chat
        byChat[chat]?.removeAll { $0 === topic }
        if byChat[chat]?.isEmpty ?? false { byChat[chat] = nil }
    }

    mutating func removeIfEmptyChats(of user: UserID) {
        if chats[user]?.subscribers.isEmpty ?? false { chats[user] = nil }
    }

    mutating func removeIfEmptyContacts(of user: UserID) {
        if contacts[user]?.subscribers.isEmpty ?? false { contacts[user] = nil }
    }

    mutating func removeIfEmptyPresence(in chat: ChatID) {
        if presence[chat]?.subscribers.isEmpty ?? false { presence[chat] = nil }
    }

    mutating func removeIfEmptyFreshness(in chat: ChatID) {
        if freshness[chat]?.subscribers.isEmpty ?? false { freshness[chat] = nil }
    }

    mutating func removeIfEmptyShares(of user: UserID) {
        if shares[user]?.subscribers.isEmpty ?? false { shares[user] = nil }
    }

    /// Gives the next number.
    mutating func draw() -> Int64 {
        defer { nextNumber += 1 }
        return nextNumber
    }
}

/// The subscribers of a user's chats, or of the presence in a chat: few changes, each passed on by itself.
final class SessionTopic {
    let number: Int64
    private(set) var subscribers: [StateSubscription] = []

    /// Whether the person whose chats these are shows how far they have read, and so knows it of the others.
    var showsReads = true

    init(number: Int64) {
        self.number = number
    }

    func add(_ subscription: StateSubscription) {
        subscribers.append(subscription)
    }

    func remove(_ subscription: StateSubscription) {
        subscribers.removeAll { $0 === subscription }
    }

    /// Passes on what happened in a chat; to a subscription that waits for its answer behind that.
    func send(_ activity: ChatActivity) {
        let encoded = ServerFrame.activity(topic: number, activity).encoded()
        for subscription in subscribers {
            if !subscription.isCurrent {
                subscription.missed[activity.chat, default: activity].merge(activity)
            } else if subscription.session.isWritable {
                subscription.session.reply(encoded: encoded)
            } else {
                subscription.isStale = true
                subscription.session.fellBehind(subscription.id)
            }
        }
    }

    /// Passes a frame on to who has the answer already; who can't take it gets a fresh answer later.
    func send(_ frame: ServerFrame) {
        let encoded = frame.encoded()
        for subscription in subscribers {
            if !subscription.isCurrent {
                subscription.isStale = true
            } else if subscription.session.isWritable {
                subscription.session.reply(encoded: encoded)
            } else {
                subscription.isStale = true
                subscription.session.fellBehind(subscription.id)
            }
        }
    }
}

/// One session's part in a ``SessionTopic``.
final class StateSubscription {
    /// The query of a state subscription.
    enum Query: Hashable {
        case chats
        case contacts
        case presence(ChatID)
        case freshness(ChatID)
        case shares
    }

    let id: Int64
    let session: Session
    let topic: SessionTopic
    let query: Query

    /// Whether the answer was given; changes follow it.
    var isCurrent = false

    /// Whether a change was missed, so that a fresh answer is due.
    var isStale = false

    /// The read of the store that is queued or under way for it.
    var read: PendingRead?

    /// The activity in chats during the read of the answer, which is sent after the answer.
    var missed: [ChatID: ChatActivity] = [:]

    init(id: Int64, session: Session, topic: SessionTopic, query: Query) {
        self.id = id
        self.session = session
        self.topic = topic
        self.query = query
    }
}
