import YonderGeodesy
import YonderModel
import YonderRules

/// The stores' answer to a ``PeopleRequest``.
///
/// `PeopleFeed` asks for one through `StoreReads`, and passes it to ``PeopleMap``. An error is the store's; the feed
/// asks again. Chat and positions must come in one answer, whose number says which commits the map still has to add
/// (decision 13, `PeopleSeedTests`).
enum PeopleAnswer: Sendable {
    case chats([ChatID], of: UserID, listing: Int)
    case everyone(LastLocations, names: [UserID: String])
    case some(LastLocations, names: [UserID: String], of: Set<UserID>)
}

extension PeopleRequest {
    /// Reads the answer from the stores.
    ///
    /// Names are read after the chat. A user who is renamed meanwhile has the old or the new name, and the
    /// map is notified of the change afterward.
    func answer(
        from chats: any ChatStore,
        _ accounts: any AccountStore,
        now: Timestamp
    ) async throws(SharingError) -> PeopleAnswer {
        switch self {
        case .chats(let user, let listing):
            return .chats(Array(try await chats.lastNumbers(of: user).keys), of: user, listing: listing)
        case .everyone(let chat):
            let locations = try await chats.lastLocations(in: chat, of: nil, now: now)
            let present = locations.chat.participants.lazy.filter(\.isPresent).map(\.user)
            return .everyone(locations, names: try await accounts.names(of: Set(present), in: locations.chat))
        case .some(let users, let chat):
            let locations = try await chats.lastLocations(in: chat, of: users, now: now)
            return .some(locations, names: try await accounts.names(of: users, in: locations.chat), of: users)
        }
    }
}

extension AccountStore {
    /// The names of participants as a chat's others are shown them: in a one-to-one chat as at a block.
    fileprivate func names(of ids: Set<UserID>, in chat: Chat) async throws(SharingError) -> [UserID: String]
    {
        let people = Set(chat.participants.map(\.user))
        let partings = chat.isOneToOne ? try await partings(of: ids, with: people) : Partings()
        var names: [UserID: String] = [:]
        for user in try await users(ids) {
            let other = people.first { $0 != user.id }
            names[user.id] = other.map { partings.applied(to: user, for: $0).name } ?? user.name
        }
        return names
    }
}
