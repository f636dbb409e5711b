public import YonderGeodesy
public import YonderModel
public import YonderWire

extension SharingClient {
    /// The messages of a chat that match, kept current.
    ///
    /// - Parameters:
    ///   - chat: Which chat.
    ///   - criteria: Which messages. What the server can't decide, such as a distance, is decided here over what it sends.
    ///   - latest: Whether only the newest of each sender counts, as for a map of last positions.
    ///   - limit: How many of the newest at most, in `1...10_000`.
    /// - Returns: The updates. They end with `unknownChat` or `notParticipant` for a chat that the caller may not read,
    ///   also once they have left it; with `tooMany` over 256 queries; with what ended ``run()``.
    public func messages(
        in chat: ChatID,
        where criteria: Criteria = .all,
        latest: Bool = false,
        limit: Int = MessageQuery.defaultLimit
    ) -> LiveUpdates<[Message], MessageChange> {
        let query = criteria.query(in: chat, latest: latest, limit: limit)
        return watch(MessageList(query)).matching(criteria)
    }

    /// Everybody's last position in a chat, kept current.
    ///
    /// - Returns: The updates; see ``messages(in:where:latest:limit:)``.
    public func locations(in chat: ChatID) -> LiveUpdates<[Message], MessageChange> {
        messages(in: chat, where: .tagged(.location), latest: true)
    }

    /// The caller's chats, kept current.
    public func chats() -> LiveUpdates<[NamedChat], ChatChange> {
        watch(ChatList())
    }

    /// Who of a chat is there, kept current.
    public func presence(in chat: ChatID) -> LiveUpdates<Set<UserID>, PresenceChange> {
        watch(PresenceList(of: chat))
    }

    /// Everybody in the world, kept current.
    ///
    /// Who watches it is somebody there, without a place.
    public func world() -> LiveUpdates<WorldPeople, WorldChange> {
        watch(WorldList())
    }

    /// Shows the caller's pin in the world, or moves it.
    ///
    /// Nobody answers; after a lost connection it is shown again. Ten times a second at most: of more, the newest.
    public func movePin(to coordinate: Coordinate) {
        let position = WorldPosition(coordinate)
        pin = position
        if worldInPin == nil { worldInPin = hold(WorldList()) }
        if !isPinResting { showPin() }
    }

    /// Sends the pin, and lets it rest: what it moves to meanwhile goes out then, the newest alone.
    ///
    /// So does what a slow connection doesn't take now.
    func showPin() {
        guard let pin, let link else { return }
        if link.isWritable {
            write(.pin(at: pin))
            shownPin = pin
        }
        guard !isPinResting else { return }
        isPinResting = true
        chores?.yield(.movePin)
    }

    static let pinInterval = Duration.milliseconds(100)

    /// Takes the caller's pin out of the world.
    public func removePin() {
        pin = nil
        shownPin = nil
        guard let id = worldInPin else { return }
        worldInPin = nil
        release(id)
    }

    // MARK: -

    func watch<List: LiveList>(_ list: List) -> LiveUpdates<List.Snapshot, List.Change> {
        let id = hold(list)
        guard let feed = subscriptions[id] as? LiveFeed<List> else {
            let error = SharingError(.internalError, "Two queries that are one are not.")
            return LiveUpdates { .failure(error) }
        }
        return feed.addReader {
            Task { await self.release(id) }
        }
    }

    /// The subscription to a list's query, opened if there is none.
    private func hold<List: LiveList>(_ list: List) -> Int64 {
        if let id = queries[list.query], subscriptions[id] is LiveFeed<List> {
            return id
        }
        let (id, _) = begin(list)
        queries[list.query] = id
        return id
    }

    /// Opens a subscription that nobody else shares.
    func begin<List: LiveList>(_ list: List) -> (id: Int64, feed: LiveFeed<List>) {
        let id = nextSubscription
        nextSubscription += 1
        let feed = LiveFeed(list, capacity: settings.readerCapacity)
        subscriptions[id] = feed
        if case .ended(let error) = state.phase { feed.finish(error) }
        open(id)
        return (id, feed)
    }

    /// Asks the server, if it can be asked now.
    func open(_ id: Int64) {
        guard link != nil, let subscription = subscriptions[id] else { return }
        write(.subscribe(id: id, query: subscription.reopen()))
    }

    /// Ends a subscription that the server ended.
    func close(_ id: Int64, _ error: SharingError) {
        forget(id)?.finish(error)
    }

    /// Ends a subscription that nobody reads anymore.
    func release(_ id: Int64) {
        guard let subscription = subscriptions[id], !subscription.isRead, worldInPin != id else { return }
        _ = forget(id)
        write(.unsubscribe(id: id))
    }

    private func forget(_ id: Int64) -> (any LiveSubscription)? {
        for (query, known) in queries where known == id { queries[query] = nil }
        for (topic, known) in topics where known == id { topics[topic] = nil }
        if worldInPin == id { worldInPin = nil }
        return subscriptions.removeValue(forKey: id)
    }
}
