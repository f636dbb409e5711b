import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

/// Brings a message subscription from a number to the present: pages from the store, then live, no gap and no duplicate.
///
/// A page has all matches up to its number `through`. Once `through` is at least the highest number that the topic
/// has seen on its loop, every later message comes through the topic: the subscription joins it behind `through`.
///
/// ```
///   begin() ──▶ reading ──── page, below the topic's head ───▶ reading, if the session is writable
///                 ▲   │                                        away, if it isn't
///        resume() │   └───── page, complete and level ───────▶ live, a member of the topic
///                 │                                              │ the outbox is full
///               away ◀───────────────────────────────────────────┘
/// ```
///
/// Invariants:
///
/// 1. A page begins behind the cursor, and the cursor never goes back: no message is sent twice.
/// 2. A subscription joins its topic only at or above the topic's head: no message is left out.
/// 3. One read at a time for each subscription; a further page is read only while the session is writable.
/// 4. The newest unkept frames that were held meanwhile are sent when the subscription joins, before later ones.
/// 5. A read that ends after its subscription is ignored.
///
/// `Session+Subscriptions.swift` begins it and a session that can be written to resumes it, on its event loop. A read
/// that fails refuses the subscription. `SeamTests` and `ChurnTests` hold the invariants, with commits between any two
/// steps (decision 4); how many messages a page has may be changed.
enum CatchUp {
    /// How many messages are read at once.
    private static let pageLimit = 1_000

    /// Reads the first page for a new subscription.
    static func begin(_ subscription: MessageSubscription) {
        let query = subscription.query
        guard !query.latest, !query.resumes else { return readOn(subscription) }
        read(subscription) { chats, reader, now throws(SharingError) in
            try await chats.messages(newest: query, limit: pageLimit, reader: reader, now: now)
        } then: { answer in
            take(answer, for: subscription)
        }
    }

    /// Continues a subscription that fell behind, when its session is writable again.
    static func resume(_ subscription: MessageSubscription) {
        guard subscription.place == .away, subscription.read == nil else { return }
        readOn(subscription)
    }

    private static func readOn(_ subscription: MessageSubscription) {
        let query = subscription.query
        let cursor = subscription.cursor
        read(subscription) { chats, reader, now throws(SharingError) in
            guard query.latest else {
                return try await chats.messages(
                    after: cursor,
                    query.filter,
                    limit: pageLimit,
                    reader: reader,
                    now: now
                )
            }
            return try await chats.messages(query, reader: reader, now: now)
        } then: { answer in
            take(answer, for: subscription)
        }
    }

    private static func take(_ answer: MessageAnswer, for subscription: MessageSubscription) {
        let session = subscription.session
        let topic = subscription.topic
        subscription.cursor = max(subscription.cursor, answer.through)
        let isLevel = answer.isComplete && topic.head <= subscription.cursor
        let page = MessagesFrame(
            id: subscription.id,
            topic: topic.number,
            first: answer.first,
            through: answer.through,
            isCurrent: answer.isComplete,
            messages: answer.messages
        )
        for frame in ServerFrame.messages(page).encodedPages() { session.reply(encoded: frame) }
        subscription.isCurrent = subscription.isCurrent || answer.isComplete
        if isLevel {
            for frame in subscription.takeConflated() { session.write(frame) }
            topic.join(subscription, after: subscription.cursor)
        } else if session.isWritable {
            readOn(subscription)
        } else {
            session.fellBehind(subscription, losing: false)
        }
    }

    private static func read<Answer: Sendable>(
        _ subscription: MessageSubscription,
        _ ask: @escaping @Sendable (any ChatStore, UserID, Timestamp) async throws(SharingError) -> Answer,
        then: @escaping (Answer) -> Void
    ) {
        guard let reader = subscription.session.user?.id else { return }
        let session = subscription.session
        let (chats, now) = (session.loop.exchange.chats, session.loop.exchange.now)
        subscription.read = session.read { () async throws(SharingError) in
            try await ask(chats, reader, now())
        } then: { result in
            subscription.read = nil
            guard session.subscriptions.has(subscription) else { return }
            switch result {
            case .success(let answer): then(answer)
            case .failure(let error): session.refuse(subscription, error)
            }
        }
    }
}

extension MessageQuery {
    /// Whether all messages above ``since`` are asked for, as by a client that resumes.
    fileprivate var resumes: Bool { limit == Self.unlimited }
}
