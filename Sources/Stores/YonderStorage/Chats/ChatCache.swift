import YonderGeodesy
import YonderModel
import YonderRules

/// The most recently written chats, in their state after the last commit.
///
/// Two generations: a full young generation becomes the old one, and an entry found in the old one moves to
/// the young one. So at most twice `capacity` participants are kept, and entries in use stay.
///
/// `ChatWriter` has one, on the writer's queue: an entry is loaded inside a transaction, changed with it, and all are
/// dropped when one fails, because some would be of writes that never were. Nothing else may change a chat's rows
/// without `ChatWriter` knowing. `capacity` may be changed (`SQLiteStoreTests`, *a chat that fell out of the cache goes
/// on where it was*).
struct ChatCache {
    /// A chat, with the index of each participant in its list.
    final class Entry {
        var chat: Chat
        private(set) var places: [UserID: Int]

        /// The time of its newest message, or `nil` without one.
        var latest: Timestamp?

        /// Everyone's shares that are known.
        var shares: [UserID: [Share]]

        /// Whether it is the one-to-one chat of two users of whom one blocks the other; `nil` until it is read.
        var isClosed: Bool?

        /// Cached newest positions by sender, `nil` for a sender without one; dropped when a position is removed.
        var newest: [UserID: NewestPosition?] = [:]

        init(_ chat: Chat, latest: Timestamp? = nil, shares: [UserID: [Share]] = [:]) {
            self.chat = chat
            self.latest = latest
            self.shares = shares
            places = [:]
            index()
        }

        /// A submission whose message will not be given a time below that of the chat's newest.
        func ordered(_ submission: Submission) -> Submission {
            var submission = submission
            submission.floor = latest
            return submission
        }

        /// Takes over what was decided and written.
        func take(_ decision: ChatRules.Decision) {
            chat = decision.chat
            latest = decision.message.time
        }

        func participant(_ user: UserID) -> Participant? {
            places[user].map { chat.participants[$0] }
        }

        /// Updates the index after participants were added to the chat.
        func index() {
            for place in places.count..<chat.participants.count {
                places[chat.participants[place].user] = place
            }
        }
    }

    private var young: [ChatID: Entry] = [:]
    private var old: [ChatID: Entry] = [:]
    private var weight = 0
    private let capacity: Int

    init(capacity: Int = 100_000) {
        self.capacity = capacity
    }

    /// The chat from here, or else from `load`.
    mutating func entry(_ id: ChatID, load: () throws -> Entry) rethrows -> Entry {
        if let entry = young[id] { return entry }
        let entry = try old.removeValue(forKey: id) ?? load()
        weight += 1 + entry.chat.participants.count
        if weight > capacity {
            old = young
            young = [:]
            weight = 1 + entry.chat.participants.count
        }
        young[id] = entry
        return entry
    }

    /// Empties the cache, after a commit failed.
    mutating func removeAll() {
        young = [:]
        old = [:]
        weight = 0
    }
}
