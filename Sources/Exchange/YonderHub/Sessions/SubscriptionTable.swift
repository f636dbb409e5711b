import YonderModel
import YonderWorld

/// The subscriptions of one session by the ids that its client chose, and those that fell behind.
///
/// Invariants:
///
/// 1. An id has one subscription, and a session at most as many as its limit.
/// 2. A subscription that fell behind is one of the table's, and is returned by ``takeBehind()`` once.
/// 3. ``pin`` is the member of the only subscription to the world.
///
/// `Session` holds it on its event loop and calls it for each frame that subscribes or ends a subscription; refusals go
/// to the client. The limit is a setting, promised in `Documentation/stream.md` (`SubscriptionTableTests`).
///
/// The three invariants must stay; how the ids are kept may be changed.
struct SubscriptionTable {
    private let limit: Int
    private var subscriptions: [Int64: SessionSubscription] = [:]
    private var behind: Set<Int64> = []

    /// The session's member of the world, while it subscribes to the world.
    private(set) var pin: WorldMember?

    /// Creates a table of at most `limit` subscriptions.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many there are.
    var count: Int { subscriptions.count }

    /// The subscription with an id.
    subscript(id: Int64) -> SessionSubscription? { subscriptions[id] }

    /// Checks that a subscription may be added with an id.
    ///
    /// - Throws: `duplicateSubscription`, `tooMany`.
    func check(_ id: Int64) throws(SharingError) {
        guard subscriptions[id] == nil else {
            throw SharingError(
                .duplicateSubscription,
                "id: the subscription \(id) is open; choose another id, or unsubscribe first."
            )
        }
        guard subscriptions.count < limit else {
            throw SharingError(
                .tooMany,
                "A session may have at most \(limit) subscriptions; unsubscribe first."
            )
        }
    }

    // MARK: Changing it

    /// Adds a subscription with an id that ``check(_:)`` has passed.
    mutating func insert(_ subscription: SessionSubscription, as id: Int64) {
        subscriptions[id] = subscription
        if case .world(let member) = subscription { pin = member }
    }

    /// Removes and returns the subscription with an id.
    mutating func remove(_ id: Int64) -> SessionSubscription? {
        behind.remove(id)
        let removed = subscriptions.removeValue(forKey: id)
        if case .world = removed { pin = nil }
        return removed
    }

    /// Removes and returns all subscriptions, in no order.
    mutating func takeAll() -> some Collection<SessionSubscription> {
        defer {
            subscriptions = [:]
            behind = []
            pin = nil
        }
        return subscriptions.values
    }

    /// Remembers to go on with a subscription once the outbox has room.
    mutating func fellBehind(_ id: Int64) {
        guard subscriptions[id] != nil else { return }
        behind.insert(id)
    }

    /// Removes and returns the ids of those that fell behind, in their order.
    mutating func takeBehind() -> [Int64] {
        defer { behind = [] }
        return behind.sorted()
    }

    // MARK: Looking into it

    /// Whether a subscription is still one of them.
    func has(_ subscription: StateSubscription) -> Bool {
        if case .state(let known) = subscriptions[subscription.id] { known === subscription } else { false }
    }

    /// Whether a subscription is still one of them.
    func has(_ subscription: MessageSubscription) -> Bool {
        guard case .messages(let known) = subscriptions[subscription.id] else { return false }
        return known === subscription
    }

    /// Whether one of them is to the messages of a topic.
    func watches(_ topic: MessageTopic) -> Bool {
        subscriptions.values.contains { known in
            if case .messages(let messages) = known { messages.topic === topic } else { false }
        }
    }

    /// Whether one of them is to a state.
    func watches(_ query: StateSubscription.Query) -> Bool {
        subscriptions.values.contains { known in
            if case .state(let state) = known { state.query == query } else { false }
        }
    }

    /// The ids and topics of those that show a chat, and that only its participants may have.
    func showing(_ chat: ChatID) -> [(id: Int64, topic: Int64)] {
        subscriptions.compactMap { id, subscription in
            switch subscription {
            case .messages(let messages) where messages.topic.filter.chat == chat: (id, messages.topic.number)
            case .state(let state) where state.query.chat == chat:
                (id, state.topic.number)
            default: nil
            }
        }
    }

    /// The live regions of objects that wait to be admitted, in the order in which they were asked for.
    var unadmitted: [RegionSubscription] {
        let waiting = subscriptions.values.compactMap { subscription -> RegionSubscription? in
            guard case .region(let region) = subscription, case .objects = region.subject else { return nil }
            return region.room == nil ? region : nil
        }
        return waiting.sorted { $0.topic < $1.topic }
    }
}
