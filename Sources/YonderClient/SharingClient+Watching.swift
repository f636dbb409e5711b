public import YonderGeodesy
public import YonderModel
public import YonderWire

extension SharingClient {
    /// The matching messages of a chat, kept current.
    ///
    /// - Parameters:
    ///   - chat: The chat.
    ///   - criteria: The criteria that a message must match. The client itself evaluates criteria that the
    ///     server can't, such as a distance.
    ///   - latest: Whether only the newest message of each sender counts, as for a map of last positions.
    ///   - limit: The most messages, the newest, in `1...10_000`.
    /// - Returns: The updates. They end with `unknownChat` or `notParticipant` if the caller may not read the
    ///   chat, or has left it; `tooMany` over 256 queries; the error that ended ``run()``.
    public func messages(
        in chat: ChatID,
        where criteria: Criteria = .all,
        latest: Bool = false,
        limit: Int = MessageQuery.defaultLimit
    ) -> LiveUpdates<[Message], MessageChange> {
        let query = criteria.query(in: chat, latest: latest, limit: limit)
        return watch(MessageList(query)).matching(criteria)
    }

    /// Every participant's last position in a chat, kept current.
    ///
    /// - Returns: The updates; see ``messages(in:where:latest:limit:)``.
    public func locations(in chat: ChatID) -> LiveUpdates<[Message], MessageChange> {
        messages(in: chat, where: .tagged(.location), latest: true)
    }

    /// The caller's chats, kept current.
    public func chats() -> LiveUpdates<[NamedChat], ChatChange> {
        watch(ChatList())
    }

    /// The caller's contacts by name, kept current.
    public func contacts() -> LiveUpdates<[User], ContactChange> {
        watch(ContactList())
    }

    /// The connected participants of a chat, kept current.
    public func presence(in chat: ChatID) -> LiveUpdates<Set<UserID>, PresenceChange> {
        watch(PresenceList(of: chat))
    }

    /// The members of the world, kept current.
    ///
    /// While watching, the caller is a member, without a position.
    public func world() -> LiveUpdates<WorldPeople, WorldChange> {
        watch(WorldList())
    }

    /// Shows the caller's pin in the world, or moves it.
    ///
    /// The server doesn't answer. After a lost connection the pin is shown again. At most ten positions a
    /// second are sent; of more, the newest.
    public func movePin(to coordinate: Coordinate) {
        let position = WorldPosition(coordinate)
        pin = position
        if worldInPin == nil { worldInPin = hold(WorldList()) }
        if !isPinResting { showPin() }
    }

    /// Sends the pin, and begins a pause: a position set meanwhile is sent after it, the newest alone.
    ///
    /// A position that a slow connection can't accept now is sent after the pause, too.
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

    /// Removes the caller's pin from the world.
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
            let error = SharingError(.internalError, "A list of another type is open for the same query.")
            return LiveUpdates { .failure(error) }
        }
        return feed.addReader {
            Task { await self.release(id) }
        }
    }

    /// Returns the subscription to a list's query, opening one if there is none.
    private func hold<List: LiveList>(_ list: List) -> Int64 {
        if let id = queries[list.query], subscriptions[id] is LiveFeed<List> {
            return id
        }
        let (id, _) = begin(list)
        queries[list.query] = id
        return id
    }

    /// Opens a subscription that isn't shared with other queries.
    func begin<List: LiveList>(_ list: List) -> (id: Int64, feed: LiveFeed<List>) {
        let id = nextSubscription
        nextSubscription += 1
        let feed = LiveFeed(list, capacity: settings.readerCapacity)
        subscriptions[id] = feed
        if case .ended(let error) = state.phase { feed.finish(error) }
        open(id)
        return (id, feed)
    }

    /// Sends the subscription's query if there is a connection.
    func open(_ id: Int64) {
        guard link != nil, let subscription = subscriptions[id] else { return }
        write(.subscribe(id: id, query: subscription.reopen()))
    }

    /// Ends a subscription that the server ended.
    func close(_ id: Int64, _ error: SharingError) {
        forget(id)?.finish(error)
    }

    /// Ends a subscription without readers.
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
