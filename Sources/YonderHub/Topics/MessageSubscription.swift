import NIOCore
import YonderModel

/// One session's part in a message topic.
final class MessageSubscription {
    /// In which of its topic's lists it stands.
    enum Place {
        case nowhere
        case live
        case joining
        case away
    }

    /// The client's name for it.
    let id: Int64
    let session: Session
    let topic: MessageTopic

    /// Whether only the newest of each sender is asked for.
    let latest: Bool
    private let limit: Int
    var place = Place.nowhere
    var index = 0

    /// Every match up to this number was passed on; meaningless while live.
    var cursor: Int64

    /// Whether the first answer was given in full.
    var isCurrent = false

    /// The read of the store that is queued or under way for it.
    var read: PendingRead?

    /// The newest frame of each sender that nobody keeps, for who is too slow and asked for the latest.
    private var newest: [UserID: (recency: Recency, frame: ByteBuffer)] = [:]

    init(id: Int64, session: Session, topic: MessageTopic, query: MessageQuery) {
        self.id = id
        self.session = session
        self.topic = topic
        latest = query.latest
        limit = query.limit
        cursor = query.since
    }

    /// What is asked for, from here on: made when needed, as its conditions are the topic's.
    var query: MessageQuery {
        let filter = topic.filter
        var query = MessageQuery(
            chat: filter.chat,
            tag: filter.tag,
            sender: filter.sender,
            since: cursor,
            from: filter.from,
            to: filter.to,
            latest: latest
        )
        query.limit = limit
        return query
    }

    /// Puts a frame in the place of the sender's older one; one that is older itself is dropped.
    ///
    /// Senders beyond 1 000 lose theirs.
    func conflate(_ frame: ByteBuffer, from sender: UserID, _ recency: Recency) {
        guard isCurrent, newest[sender] != nil || newest.count < 1_000 else { return }
        if let known = newest[sender], recency < known.recency { return }
        // A copy of its own: a slice would keep the whole round's buffer.
        newest[sender] = (recency, ByteBufferAllocator().buffer(bytes: frame.readableBytesView))
    }

    /// Hands out what ``conflate(_:from:)`` kept.
    func takeConflated() -> some Collection<ByteBuffer> {
        defer { newest = [:] }
        return newest.values.map(\.frame)
    }
}
