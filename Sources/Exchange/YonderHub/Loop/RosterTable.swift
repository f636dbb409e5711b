import YonderBus
import YonderModel

/// The participants of chats, as far as this loop knows them: read from the store once, then updated by commits.
///
/// Chats that something on the loop holds stay, however many there are; of the others, those used least recently go first.
///
/// ``Rosters`` has one for an event loop, reads what it lacks, and passes each commit. It is a plain value, and nothing
/// fails. A chat that isn't known is read again from the store; a commit that is older than what was read changes
/// nothing. That someone who left isn't present must stay: by it unkept messages are refused. The limit may be changed
/// (`RosterTableTests`).
struct RosterTable {
    private struct Roster {
        var people: Set<UserID>

        /// Those of the people who may only read.
        let readers: Set<UserID>
        var lastUsed: UInt64
    }

    private let limit: Int

    /// How many rosters there may be before the next eviction.
    private var room: Int
    private var rosters: [ChatID: Roster] = [:]
    private var clock: UInt64 = 0

    /// The number of commits that changed the participants of any chat.
    private(set) var changes = 0

    /// Whether a chat's people must stay known.
    var isHeld: (ChatID) -> Bool = { _ in false }

    /// Creates a table without chats.
    ///
    /// - Parameter limit: How many chats are known that nothing holds, at most about half more.
    init(limit: Int) {
        self.limit = limit
        room = limit
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

    /// Whether `user` may only read a chat that this loop knows.
    func mayOnlyRead(_ user: UserID, in chat: ChatID) -> Bool {
        rosters[chat]?.readers.contains(user) ?? false
    }

    /// Inserts a chat as read from the store.
    mutating func insert(_ chat: Chat) {
        clock += 1
        let people = Set(chat.participants.lazy.filter(\.isPresent).map(\.user))
        let readers = Set(chat.participants.lazy.filter(\.mayOnlyRead).map(\.user))
        rosters[chat.id] = Roster(people: people, readers: readers, lastUsed: clock)
        if rosters.count > room { evict() }
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

    /// Removes the half of the chats without a holder that was used least recently, if these are more than the limit.
    private mutating func evict() {
        let free = rosters.filter { !isHeld($0.key) }
        if free.count > limit {
            let median = free.values.map(\.lastUsed).sorted()[free.count / 2]
            for (chat, roster) in free where roster.lastUsed < median { rosters[chat] = nil }
        }
        // So an eviction looks at each roster once in many insertions, whatever is held.
        room = max(limit, rosters.count + limit / 2)
    }
}
