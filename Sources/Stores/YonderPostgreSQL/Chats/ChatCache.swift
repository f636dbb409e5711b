#if Postgres
import YonderGeodesy
import YonderLibPQ
import YonderModel
import YonderRules

/// A chat as the last commit found it, with what its messages are decided by.
///
/// It may be older than the database: a write sends ``version``, and nothing is written if the database has another.
//
// Belongs to the writer, as does the cache.
final class ChatEntry {
    /// The newest position of a sender.
    struct Newest {
        /// The position; `nil` for a sender without one.
        var position: NewestPosition?

        /// The number of the last position that isn't late, 0 for none; the database compares it.
        var number: Int64
    }

    var chat: Chat
    var version: Int64

    /// The time of its newest message, or `nil` without one; the database raises times where it has a later one.
    var latest: Timestamp?

    /// Everyone's shares that are known.
    var shares: [UserID: [Share]]

    /// Whether it is the one-to-one chat of two users of whom one blocks the other.
    let isClosed: Bool

    /// Cached newest positions by sender.
    var newest: [UserID: Newest] = [:]

    private var places: [UserID: Int] = [:]

    init(_ known: ChatTable.Known, latest: Timestamp?, shares: [UserID: [Share]], isClosed: Bool) {
        chat = known.chat
        version = known.version
        self.latest = latest
        self.shares = shares
        self.isClosed = isClosed
        index()
    }

    /// A submission whose message will not be given a time below that of the chat's newest.
    func ordered(_ submission: Submission) -> Submission {
        var submission = submission
        submission.floor = latest
        return submission
    }

    /// Called with the time of a message that was decided or written.
    func note(_ time: Timestamp) {
        latest = latest.map { max($0, time) } ?? time
    }

    func place(of user: UserID) -> Int? { places[user] }

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

/// The most recently written chats.
///
/// Two generations: a full young generation becomes the old one, and an entry found in the old one moves to the young one.
/// So at most twice `capacity` participants are kept, and entries in use stay.
///
/// `ChatWriter` has the one of a process, and uses it for one commit after the other. An entry that is out of date costs
/// another attempt and never a wrong answer, because the database compares versions (decision 30, `AppendTests`). So
/// entries may be dropped at any time, and the capacity changed; the version must be the one that was read together with
/// the chat.
struct ChatCache {
    private var young: [ChatID: ChatEntry] = [:]
    private var old: [ChatID: ChatEntry] = [:]
    private var weight = 0
    private let capacity: Int

    init(capacity: Int = 100_000) {
        self.capacity = capacity
    }

    /// The chat, if it is here.
    mutating func entry(_ id: ChatID) -> ChatEntry? {
        if let entry = young[id] { return entry }
        guard let entry = old.removeValue(forKey: id) else { return nil }
        insert(entry)
        return entry
    }

    /// Keeps a chat, in place of an older state of it.
    mutating func insert(_ entry: ChatEntry) {
        old[entry.chat.id] = nil
        if young.updateValue(entry, forKey: entry.chat.id) == nil {
            weight += 1 + entry.chat.participants.count
        }
        guard weight > capacity else { return }
        old = young
        young = [entry.chat.id: entry]
        weight = 1 + entry.chat.participants.count
    }

    /// Forgets a chat, whose state may be another now.
    mutating func remove(_ id: ChatID) {
        old[id] = nil
        if let entry = young.removeValue(forKey: id) { weight -= 1 + entry.chat.participants.count }
    }
}
#endif
