public import YonderModel
public import YonderWire

// Live queries, for apps and the app models, from any task, also before a connection. Equal queries share a subscription; it
// ends with its last reader. A refusal for good ends the updates with its code; a lost connection doesn't. How each list is
// kept current is in `Live/` (`SubscriptionsTests`, the SDK's model). A further query is a `LiveList` and a function here.
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
    ///   chat, or has left it; the error that ended ``run()``. Over 256 queries, they begin when another has ended.
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
}
