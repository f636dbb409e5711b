import YonderModel
import YonderWire

/// A client's subscriptions: which queries are open, and to which one each frame belongs.
///
/// The methods return the frames to write. Readers of one query share a subscription.
///
/// Invariants:
///
/// 1. A query is open once, however many readers it has; a live region has a subscription of its own.
/// 2. Each new connection is sent every subscription, in the order in which they began.
/// 3. A subscription lasts while it has a reader or is held.
/// 4. A topic's number is valid for one connection.
struct Subscriptions: Sendable {
    /// A subscription for a list, and the frames to write.
    struct Opened<List: LiveList>: Sendable {
        let id: Int64
        let feed: LiveFeed<List>
        let frames: [ClientFrame]
    }

    enum Refusal: Hashable, Sendable {
        /// No subscription has this id.
        case unknown
        /// The subscription ended with the error.
        case ended
        /// Call ``Subscriptions/resubscribe(_:)`` after this time.
        case later(Duration)
    }

    private let readerCapacity: Int
    private var feeds: [Int64: any LiveSubscription] = [:]
    private var queries: [StreamQuery: Int64] = [:]
    private var topics: [Int64: Int64] = [:]

    /// The subscriptions that last without a reader.
    private var held: Set<Int64> = []

    private var last: Int64 = 0
    private var isConnected = false

    /// Creates an empty table.
    ///
    /// - Parameter readerCapacity: The most updates queued for a reader.
    init(readerCapacity: Int) {
        self.readerCapacity = readerCapacity
    }

    // MARK: - Opening

    /// Opens a subscription to a list's query, or returns the open one.
    mutating func open<List: LiveList>(_ list: List) -> Opened<List> {
        if let id = queries[list.query], let feed = feeds[id] as? LiveFeed<List> {
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
        feeds[last] = feed
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
        guard let feed = feeds[id], !feed.isRead, !held.contains(id) else { return [] }
        _ = forget(id)
        return isConnected ? [.unsubscribe(id: id)] : []
    }

    // MARK: - The connection

    /// Call this when the connection is open.
    mutating func connected() -> [ClientFrame] {
        isConnected = true
        return feeds.keys.sorted().flatMap(subscribe)
    }

    /// Call this when the connection ended.
    mutating func disconnected() {
        isConnected = false
        topics = [:]
    }

    /// Call this when the wait after a refusal is over.
    func resubscribe(_ id: Int64) -> [ClientFrame] {
        subscribe(id)
    }

    /// Ends every subscription, for all readers.
    mutating func end(_ error: SharingError) {
        for feed in feeds.values { feed.finish(error) }
        (feeds, queries, topics, held) = ([:], [:], [:], [])
    }

    // MARK: - Frames

    /// Applies a frame of the answer to a subscription.
    mutating func answered(_ id: Int64, topic: Int64, _ frame: ServerFrame) -> [ClientFrame] {
        guard let feed = feeds[id] else { return [] }
        topics[topic] = id
        feed.apply(frame)
        return feed.nextFrame(of: id).map { [$0] } ?? []
    }

    /// Applies a change of a topic.
    func changed(topic: Int64, _ frame: ServerFrame) {
        if let id = topics[topic] { feeds[id]?.apply(frame) }
    }

    /// Call this when the server ended a subscription.
    mutating func ended(_ id: Int64, _ error: SharingError) {
        forget(id)?.finish(error)
    }

    /// Call this when the server refused a subscription.
    mutating func refused(_ id: Int64, _ error: SharingError) -> Refusal {
        guard feeds[id] != nil else { return .unknown }
        if let wait = error.retryDelay { return .later(wait) }
        ended(id, error)
        return .ended
    }

    // MARK: -

    private func subscribe(_ id: Int64) -> [ClientFrame] {
        guard isConnected, let feed = feeds[id] else { return [] }
        return [.subscribe(id: id, query: feed.reopen())]
    }

    private mutating func forget(_ id: Int64) -> (any LiveSubscription)? {
        for (query, known) in queries where known == id { queries[query] = nil }
        for (topic, known) in topics where known == id { topics[topic] = nil }
        held.remove(id)
        return feeds.removeValue(forKey: id)
    }
}
