import YonderModel
import YonderWire

/// One session's part in a ``SessionTopic``.
///
/// `Session+Subscriptions.swift` makes one; the loop's lists answer it, topics pass changes to it, all on the loop.
/// Nothing fails: a session that is slow is answered again later, with the state as it is then, so that nothing waits in
/// memory for it. A change before the first answer must wait for that (`StateTopicsTests`). A further state is a case of
/// ``Query``.
final class StateSubscription {
    /// The query of a state subscription.
    enum Query: Hashable {
        case chats, contacts, shares
        case presence(ChatID)
        case freshness(ChatID, isPartial: Bool)

        /// The chat whose participants alone may have the state, or `nil`.
        var chat: ChatID? {
            switch self {
            case .presence(let chat), .freshness(let chat, _): chat
            case .chats, .contacts, .shares: nil
            }
        }
    }

    let id: Int64
    let session: Session
    let topic: SessionTopic
    let query: Query

    /// Whether the answer was given; changes follow it.
    var isCurrent = false

    /// Whether it was answered once: then a fresh answer that can't be read is tried again.
    var wasAnswered = false

    /// Whether a change was missed, so that a fresh answer is due.
    var isStale = false

    /// The most chats of the answer, if the query is for a list of chats.
    let limit: Int

    /// The chats that the client was sent, if its list of chats has no room for all; else `nil`.
    var sent: Set<ChatID>?

    /// The read of the store that is queued or under way for it.
    var read: PendingRead?

    /// The activity in chats during the read of the answer, which is sent after the answer.
    var missed: [ChatID: ChatActivity] = [:]

    init(id: Int64, session: Session, topic: SessionTopic, query: Query, limit: Int = StreamQuery.chatLimit) {
        self.id = id
        self.session = session
        self.topic = topic
        self.query = query
        self.limit = limit
    }

    /// Sends a change; if the session's outbox is full, a new answer is due instead.
    func pass(_ encoded: [UInt8]) {
        if session.isWritable { return session.reply(encoded: encoded) }
        isStale = true
        session.fellBehind(id)
    }
}
