public import YonderGeodesy
public import YonderModel
public import YonderWire

// What makes a person an item of a live region, for `RegionList<RegionPerson>`. Nothing fails: an item of another kind gives
// `nil`. The id has the chat, because a person is listed once for each; map views and selections rely on that (decision 13,
// `RegionUpdatesTests`).
extension RegionPerson: Locatable {
    /// The identity of a person in a region: one for each chat that the caller shares with the person.
    public struct ID: Hashable, Sendable {
        /// The chat.
        public let chat: ChatID

        /// The person.
        public let user: UserID
    }

    /// The chat and the person.
    public var id: ID { ID(chat: chat, user: user) }

    /// The person's position.
    public var coordinate: Coordinate { position.coordinate }

    /// Whether the name is the same: all other values belong to the position.
    public func isSame(elsewhere older: RegionPerson) -> Bool {
        id == older.id && name == older.name
    }
}

extension RegionPerson: RegionListed {
    static func context(in frame: RegionFrame) -> Never? { nil }

    static func id(_ key: RegionKey) -> ID? {
        guard case .person(let chat, let user) = key else { return nil }
        return ID(chat: chat, user: user)
    }

    init?(_ item: RegionItem, _ context: Never?) {
        guard case .person(let person) = item else { return nil }
        self = person
    }

    func moved(_ move: RegionMove) -> RegionPerson {
        guard case .person(let person) = move else { return self }
        return RegionPerson(
            chat: person.chat,
            user: person.user,
            name: person.name ?? name,
            number: person.number,
            time: person.time,
            position: person.position
        )
    }
}
