public import YonderGeodesy

/// Which messages, with operators: `.tagged(.location) && .within(.kilometers(1), of: station)`.
public indirect enum Criteria: Hashable, Sendable {
    /// Every message.
    case all
    /// Of this kind.
    case tagged(MessageTag)
    /// Of this sender.
    case sent(by: UserID)
    /// Numbered above.
    case since(Int64)
    /// Taken by the server at or after the one time and before the other; `nil` for no bound.
    case taken(from: Timestamp?, to: Timestamp?)
    /// With a position this near.
    case within(Distance, of: Coordinate)
    /// What doesn't match.
    case not(Criteria)
    /// What matches both.
    case both(Criteria, Criteria)
    /// What matches at least one.
    case either(Criteria, Criteria)

    /// What matches both.
    public static func && (left: Criteria, right: Criteria) -> Criteria { .both(left, right) }

    /// What matches at least one.
    public static func || (left: Criteria, right: Criteria) -> Criteria { .either(left, right) }

    /// What doesn't match.
    public static prefix func ! (criteria: Criteria) -> Criteria { .not(criteria) }

    /// Whether a message matches.
    public func matches(_ message: Message) -> Bool {
        switch self {
        case .all: true
        case .tagged(let tag): message.tag == tag
        case .sent(let sender): message.sender == sender
        case .since(let number): message.number > number
        case .taken(let from, let to):
            from.map { message.time >= $0 } ?? true && to.map { message.time < $0 } ?? true
        case .within(let distance, let center):
            message.position.map { $0.coordinate.distance(to: center) <= distance } ?? false
        case .not(let criteria): !criteria.matches(message)
        case .both(let left, let right): left.matches(message) && right.matches(message)
        case .either(let left, let right): left.matches(message) || right.matches(message)
        }
    }

    /// The part of it that the server can decide: conditions joined by *and*.
    ///
    /// Everything that matches matches it, too.
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
