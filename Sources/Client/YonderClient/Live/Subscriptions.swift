import YonderModel
import YonderWire

/// A client's subscriptions: which queries are open, and to which one each frame belongs.
///
/// The methods return the frames to write. Readers of one query share a subscription. Each subscription has one ``State``; a
/// reader hears that it is over only with a code of ``SharingError/endsSubscription``, or with the end of the client.
///
/// Invariants:
///
/// 1. A query is open once, however many readers it has; a live region has a subscription of its own.
/// 2. Each new connection is sent every subscription, in the order in which they began.
/// 3. A subscription lasts while it has a reader or is held.
/// 4. A topic's number is valid for one connection.
/// 5. A wait is valid for one connection, which has no other wait of the same subscription.
///
/// `SharingClient` has one: it opens and releases subscriptions for its watches, passes it each frame of a subscription, and
/// writes the frames that it returns. Nothing throws. A refusal for now is asked again after a wait; one for good ends the
/// readers of that query alone. A frame of an unknown topic or id is ignored, since it may be of a subscription that just
/// ended.
///
/// The times of waiting may change. The invariants must stay (`SubscriptionsTests`, and `SubscriptionModelTests` with random
/// cuts and refusals).
struct Subscriptions: Sendable {
    /// The state of a subscription that isn't over.
    enum State: Hashable, Sendable {
        /// The server is to answer, on this connection or on the next.
        case asked
        /// The answer is complete.
        case answered
        /// The server refused it for now.
        case waiting(Wait)
    }

    /// The time until a subscription that was refused is sent again, on one connection.
    struct Wait: Hashable, Sendable {
        fileprivate let id: Int64
        fileprivate let connection: Int
    }

    private struct Subscription: Sendable {
        let feed: any LiveSubscription
        var state = State.asked

        /// The refusals without a time since the last answer.
        var refusals = 0
    }

    /// A subscription for a list, and the frames to write.
    struct Opened<List: LiveList>: Sendable {
        let id: Int64
        let feed: LiveFeed<List>
        let frames: [ClientFrame]
    }

    enum Refusal: Hashable, Sendable {
        /// No subscription of this id is asked or answered.
        case unknown
        /// The subscription ended with the error.
        case ended
        /// Call ``Subscriptions/resubscribe(_:)`` after this time.
        case later(Wait, Duration)
    }

    private let readerCapacity: Int
    private var subscriptions: [Int64: Subscription] = [:]
    private var queries: [StreamQuery: Int64] = [:]
    private var topics: [Int64: Int64] = [:]

    /// The subscriptions that were ended to be sent anew, until the server has confirmed the end.
    private var ending: Set<Int64> = []

    /// The subscriptions that last without a reader.
    private var held: Set<Int64> = []

    private var last: Int64 = 0
    private var isConnected = false
    private var hasPartialShares = false

    /// The number of the connection, or of the time without one.
    private var connection = 0

    /// Creates an empty table.
    ///
    /// - Parameter readerCapacity: The most updates queued for a reader.
    init(readerCapacity: Int) {
        self.readerCapacity = readerCapacity
    }

    // MARK: - Opening

    /// Opens a subscription to a list's query, or returns the open one.
    mutating func open<List: LiveList>(_ list: List) -> Opened<List> {
        if let id = queries[list.query], let feed = subscriptions[id]?.feed as? LiveFeed<List> {
            return Opened(id: id, feed: feed, frames: [])
        }
        let opened = openAlone(list)
        queries[list.query] = opened.id
        return opened
    }

    /// Opens a subscription that isn't shared with other readers of the same query.
    mutating func openAlone<List: LiveList>(_ list: List) -> Opened<List> {
        last += 1
        let feed = LiveFeed(list, capacity: readerCapacity)
        subscriptions[last] = Subscription(feed: feed)
        return Opened(id: last, feed: feed, frames: subscribe(last))
    }

    /// Opens a subscription if there is none, and keeps it until ``letGo(_:)``, with or without readers.
    mutating func hold(_ list: some LiveList) -> [ClientFrame] {
        let opened = open(list)
        held.insert(opened.id)
        return opened.frames
    }

    /// Ends the holding of a query's subscription, which ends if it has no reader.
    mutating func letGo(_ query: StreamQuery) -> [ClientFrame] {
        guard let id = queries[query], held.remove(id) != nil else { return [] }
        return release(id)
    }

    /// Ends a subscription that has no reader and isn't held.
    mutating func release(_ id: Int64) -> [ClientFrame] {
        guard let known = subscriptions[id], !known.feed.isRead, !held.contains(id) else { return [] }
        _ = forget(id)
        if case .waiting = known.state { return [] }
        return isConnected ? [.unsubscribe(id: id)] : []
    }

    // MARK: - The connection

    /// Call this when the connection is open.
    ///
    /// - Parameter hasPartialShares: Whether the server's greeting says so.
    /// - Returns: The frames to write.
    mutating func connected(hasPartialShares: Bool = false) -> [ClientFrame] {
        isConnected = true
        self.hasPartialShares = hasPartialShares
        connection += 1
        return subscriptions.keys.sorted().flatMap { subscribe($0) }
    }

    /// Call this when the connection ended.
    mutating func disconnected() {
        isConnected = false
        connection += 1
        (topics, ending) = ([:], [])
    }

    /// Call this when the wait after a refusal is over.
    mutating func resubscribe(_ wait: Wait) -> [ClientFrame] {
        guard wait.connection == connection, subscriptions[wait.id]?.state == .waiting(wait) else {
            return []
        }
        return subscribe(wait.id)
    }

    /// Ends every subscription, for all readers.
    mutating func end(_ error: SharingError) {
        for known in subscriptions.values { known.feed.finish(error) }
        (subscriptions, queries, topics, held) = ([:], [:], [:], [])
    }

    // MARK: - Frames

    /// Applies a frame of the answer to a subscription.
    mutating func answered(_ id: Int64, topic: Int64, _ frame: ServerFrame) -> [ClientFrame] {
        guard let feed = subscriptions[id]?.feed, !ending.contains(id) else { return [] }
        topics[topic] = id
        feed.apply(frame)
        if feed.isCurrent {
            subscriptions[id]?.state = .answered
            subscriptions[id]?.refusals = 0
        }
        return (feed.nextFrame(of: id).map { [$0] } ?? []) + renew(id, feed)
    }

    /// Whether a subscription was ended to be sent anew, and the server hasn't confirmed the end.
    func isEnding(_ id: Int64) -> Bool { ending.contains(id) }

    /// Call this when the server confirmed the end of a subscription.
    mutating func unsubscribed(_ id: Int64) {
        ending.remove(id)
    }

    /// Applies a change of a topic.
    mutating func changed(topic: Int64, _ frame: ServerFrame) -> [ClientFrame] {
        guard let id = topics[topic], let feed = subscriptions[id]?.feed else { return [] }
        feed.apply(frame)
        return renew(id, feed)
    }

    /// Call this when the server refused a subscription, or ended it.
    mutating func refused(_ id: Int64, _ error: SharingError) -> Refusal {
        guard let known = subscriptions[id], ending.remove(id) == nil else { return .unknown }
        // What is refused to one that waits was sent before.
        if case .waiting = known.state { return .unknown }
        if error.endsSubscription {
            forget(id)?.finish(error)
            return .ended
        }
        forgetTopics(of: id)
        let wait = Wait(id: id, connection: connection)
        subscriptions[id]?.state = .waiting(wait)
        if let time = error.retryAfter { return .later(wait, time) }
        subscriptions[id]?.refusals += 1
        return .later(wait, Self.time(after: known.refusals))
    }

    // MARK: -

    /// One to two seconds, doubling with each refusal up to half a minute.
    private static func time(after refusals: Int) -> Duration {
        min(.seconds(15), .seconds(1 << min(refusals, 4))) * Double.random(in: 1...2)
    }

    private mutating func subscribe(_ id: Int64) -> [ClientFrame] {
        subscriptions[id]?.state = .asked
        guard isConnected, let feed = subscriptions[id]?.feed else { return [] }
        let query = feed.reopen()
        guard hasPartialShares, case .freshness(let chat, _) = query else {
            return [.subscribe(id: id, query: query)]
        }
        return [.subscribe(id: id, query: .freshness(chat, isPartial: true))]
    }

    /// Asks anew for a list that can't go on from where it stands.
    private mutating func renew(_ id: Int64, _ feed: any LiveSubscription) -> [ClientFrame] {
        guard feed.mustAskAnew else { return [] }
        forgetTopics(of: id)
        ending.insert(id)
        return [.unsubscribe(id: id)] + subscribe(id)
    }

    private mutating func forget(_ id: Int64) -> (any LiveSubscription)? {
        for (query, known) in queries where known == id { queries[query] = nil }
        forgetTopics(of: id)
        ending.remove(id)
        held.remove(id)
        return subscriptions.removeValue(forKey: id)?.feed
    }

    private mutating func forgetTopics(of id: Int64) {
        for (topic, known) in topics where known == id { topics[topic] = nil }
    }
}
