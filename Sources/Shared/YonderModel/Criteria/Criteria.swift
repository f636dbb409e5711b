public import YonderGeodesy

/// A filter for messages, with operators: `.tagged(.location) && .within(.kilometers(1), of: station)`.
///
/// Apps write one for `SharingClient`'s watches; the client sends ``query(in:latest:limit:)`` to the server, and drops what
/// doesn't match (`LiveUpdates+Criteria`). Nothing fails. That the query matches at least what the criteria match must stay,
/// or messages would be missing (`CriteriaTests`). A condition that the query can't express costs transfer alone. It isn't
/// sent as such, so cases may be added.
public indirect enum Criteria: Hashable, Sendable {
    /// Every message.
    case all
    /// Messages with this tag.
    case tagged(MessageTag)
    /// Messages of this sender.
    case sent(by: UserID)
    /// Messages with a greater number.
    case since(Int64)
    /// Messages that the server received at or after the first time and before the second; `nil` for no
    /// bound.
    case taken(from: Timestamp?, to: Timestamp?)
    /// Messages with a position within this distance.
    case within(Distance, of: Coordinate)
    /// Messages that don't match the criteria.
    case not(Criteria)
    /// Messages that match both criteria.
    case both(Criteria, Criteria)
    /// Messages that match at least one of the criteria.
    case either(Criteria, Criteria)

    /// Messages that match both criteria.
    public static func && (left: Criteria, right: Criteria) -> Criteria { .both(left, right) }

    /// Messages that match at least one of the criteria.
    public static func || (left: Criteria, right: Criteria) -> Criteria { .either(left, right) }

    /// Messages that don't match the criteria.
    public static prefix func ! (criteria: Criteria) -> Criteria { .not(criteria) }

    /// Whether a message matches.
    public func matches(_ message: Message) -> Bool {
        switch self {
        case .all: true
        case .tagged(let tag): message.tag == tag
        case .sent(let sender): message.sender == sender
        case .since(let number): message.number.map { $0 > number } ?? false
        case .taken(let from, let to):
            from.map { message.time >= $0 } ?? true && to.map { message.time < $0 } ?? true
        case .within(let distance, let center):
            message.position.map { $0.coordinate.distance(to: center) <= distance } ?? false
        case .not(let criteria): !criteria.matches(message)
        case .both(let left, let right): left.matches(message) && right.matches(message)
        case .either(let left, let right): left.matches(message) || right.matches(message)
        }
    }

    /// The part of the criteria that the server can evaluate: conditions joined by *and*.
    ///
    /// Every message that matches the criteria also matches this query.
    public func query(in chat: ChatID, latest: Bool, limit: Int) -> MessageQuery {
        var query = MessageQuery(chat: chat, latest: latest, limit: limit)
        narrow(&query)
        return query
    }

    private func narrow(_ query: inout MessageQuery) {
        switch self {
        case .tagged(let tag) where query.tag == nil: query.tag = tag
        case .sent(let sender) where query.sender == nil: query.sender = sender
        case .since(let number): query.since = max(query.since, number)
        case .taken(let from, let to):
            query.from = [query.from, from].compactMap(\.self).max()
            query.to = [query.to, to].compactMap(\.self).min()
        case .both(let left, let right):
            left.narrow(&query)
            right.narrow(&query)
        default: break
        }
    }
}
