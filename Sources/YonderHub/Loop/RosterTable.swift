import YonderBus
import YonderModel

/// The participants of chats, as far as this loop knows them: read from the store once, then updated by commits.
struct RosterTable {
    private struct Roster {
        var people: Set<UserID>
        var lastUsed: UInt64
    }

    private let limit: Int
    private var rosters: [ChatID: Roster] = [:]
    private var clock: UInt64 = 0

    /// The number of commits that changed the participants of any chat.
    private(set) var changes = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// The chats whose participants this loop knows.
    var chats: some Sequence<ChatID> { rosters.keys }

    /// The current participants of a chat, or `nil` if this loop doesn't know them.
    mutating func people(in chat: ChatID) -> Set<UserID>? {
        clock += 1
        rosters[chat]?.lastUsed = clock
        return rosters[chat]?.people
    }

    /// Whether `user` is in a chat now, or `nil` if this loop doesn't know.
    @inline(__always)
    func isPresent(_ user: UserID, in chat: ChatID) -> Bool? {
        rosters[chat].map { $0.people.contains(user) }
    }

    /// Inserts a chat as read from the store.
    mutating func insert(_ chat: Chat) {
        clock += 1
        let people = Set(chat.participants.lazy.filter(\.isPresent).map(\.user))
        rosters[chat.id] = Roster(people: people, lastUsed: clock)
        if rosters.count > limit { evict() }
    }

    /// Applies the joins and leaves of a commit.
    mutating func apply(_ published: Published) {
        if !published.moved.isEmpty { changes += 1 }
        for participant in published.moved {
            if participant.isPresent {
                rosters[published.message.chat]?.people.insert(participant.user)
            } else {
                rosters[published.message.chat]?.people.remove(participant.user)
            }
        }
    }

    /// Removes the half of the chats that was used least recently.
    private mutating func evict() {
        let median = rosters.values.map(\.lastUsed).sorted()[rosters.count / 2]
        rosters = rosters.filter { $0.value.lastUsed >= median }
    }
}
