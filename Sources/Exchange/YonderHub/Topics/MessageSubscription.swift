import NIOCore
import YonderModel

/// One session's part in a message topic.
///
/// `Session+Subscriptions.swift` makes one, `MessageTopic` and `CatchUp` read and set its state, all on the session's
/// loop. Frames are conflated, one for each sender, only if they aren't kept, the client asked for the latest, and the
/// session is slow: everything else must be sent, in its order (decision 4, `ExchangeTests`). The 1 000 senders may be
/// changed.
final class MessageSubscription {
    /// The list of its topic that the subscription is in.
    enum Place {
        case nowhere
        case live
        case joining
        case away
    }

    /// The client's id for it.
    let id: Int64
    let session: Session
    let topic: MessageTopic

    /// Whether only the newest message of each sender is asked for.
    let latest: Bool
    private let limit: Int
    var place = Place.nowhere
    var index = 0

    /// Every match up to this number was sent; not used while live.
    var cursor: Int64

    /// Whether the first answer was sent completely.
    var isCurrent = false

    /// The read of the store that is queued or under way for it.
    var read: PendingRead?

    /// The newest unkept frame of each sender, held for a slow session that asked for the latest.
    private var newest: [UserID: (recency: Recency, frame: ByteBuffer)] = [:]

    init(id: Int64, session: Session, topic: MessageTopic, query: MessageQuery) {
        self.id = id
        self.session = session
        self.topic = topic
        latest = query.latest
        limit = query.limit
        cursor = query.since
    }

    /// The query from the cursor on, computed, as its conditions are stored in the topic.
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

    /// Replaces the sender's held frame, unless the new one is older: then the new one is dropped.
    ///
    /// Does nothing before the first answer is complete. Frames of further senders are dropped once 1 000 senders have
    /// one.
    func conflate(_ frame: ByteBuffer, from sender: UserID, _ recency: Recency) {
        guard isCurrent, newest[sender] != nil || newest.count < 1_000 else { return }
        if let known = newest[sender], recency < known.recency { return }
        // A copy of its own: a slice would keep the whole round's buffer.
        newest[sender] = (recency, ByteBufferAllocator().buffer(bytes: frame.readableBytesView))
    }

    /// Returns and removes the frames that ``conflate(_:from:_:)`` holds.
    func takeConflated() -> some Collection<ByteBuffer> {
        defer { newest = [:] }
        return newest.values.map(\.frame)
    }
}
