import YonderGeodesy
import YonderModel
import YonderRules

/// The messages stored in the order of arrival, and not yet sorted into their chats.
///
/// Committing a thousand messages to a thousand chats would write a page of each index for every message, 16
/// KiB a message. So messages are first appended to the table `recent`, some 20 to a page, and moved to
/// `message` later: when a chat has many of them, or when a reader needs them. This type decides which
/// messages to move, and when.
///
/// `ChatWriter` has one, adds each message of a commit and moves those that it returns; at the start it is read from
/// `RecentRow`. It is a plain value, and nothing fails. That a chat's messages are moved in their order, all up to one
/// number, must stay. When they are moved may be changed, it trades the cost of commits for that of reads (decision 5,
/// `RecentMessagesTests`, `Documentation/benchmarks.md`).
struct RecentMessages {
    /// A message, with its idempotency key.
    struct Row {
        let id: Int64
        let message: Message
        let key: String
        let fingerprint: Int64

        /// The estimated memory in bytes.
        var weight: Int { 256 + message.content.utf8.count + (message.data?.bytes.count ?? 0) }
    }

    private struct Key: Hashable {
        let sender: UserID
        let key: String

        /// Compared by bytes: `String` considers a composed and a decomposed é equal.
        static func == (left: Self, right: Self) -> Bool {
            guard left.sender == right.sender, left.key.utf8.count == right.key.utf8.count else {
                return false
            }
            var (one, other) = (left.key, right.key)
            return one.withUTF8 { one in
                other.withUTF8 { other in one.indices.allSatisfy { one[$0] == other[$0] } }
            }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(sender)
            var key = key
            key.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private struct Tail {
        var rows: ArraySlice<Row> = []
        var keys: Set<Key> = []
        var mayExpire = false

        mutating func append(_ row: Row) {
            rows.append(row)
            keys.insert(Key(sender: row.message.sender, key: row.key))
            if row.message.expires != nil { mayExpire = true }
        }

        mutating func removeFirst(_ count: Int) -> ArraySlice<Row> {
            let removed = rows.prefix(count)
            for row in removed { keys.remove(Key(sender: row.message.sender, key: row.key)) }
            rows.removeFirst(removed.count)
            return removed
        }
    }

    private var tails: [ChatID: Tail] = [:]

    /// Chats in the order of their oldest message's id; an entry may be obsolete if the chat's messages were
    /// moved.
    private var queue: ArraySlice<(chat: ChatID, id: Int64)> = []
    private(set) var count = 0

    /// The estimated memory of all messages in bytes.
    private(set) var bytes = 0

    /// The id of the row that was added last.
    private(set) var lastID: Int64

    /// Rows with lower ids were removed from the table.
    private(set) var removedBelow: Int64

    /// Creates an empty memory for a table whose ids lie in `firstID...lastID`.
    init(firstID: Int64 = 1, lastID: Int64 = 0) {
        self.lastID = lastID
        removedBelow = firstID
    }

    /// The chats with messages here.
    var chats: some Sequence<ChatID> { tails.keys }

    /// The chats with messages here that expire.
    var expiringChats: [ChatID] { tails.filter(\.value.mayExpire).map(\.key) }

    /// The chats whose oldest message here was stored at `time` or before.
    func chats(waitingSince time: Timestamp) -> [ChatID] {
        tails.filter { $0.value.rows.first.map { $0.message.time <= time } ?? false }.map(\.key)
    }

    func contains(_ chat: ChatID) -> Bool {
        tails[chat] != nil
    }

    func knows(_ submission: Submission) -> Bool {
        tails[submission.chat]?.keys.contains(Key(sender: submission.sender, key: submission.key)) ?? false
    }

    /// The id of the next row.
    mutating func nextID() -> Int64 {
        lastID += 1
        return lastID
    }

    mutating func append(_ row: Row) {
        let chat = row.message.chat
        if tails[chat] == nil { queue.append((chat, row.id)) }
        tails[chat, default: Tail()].append(row)
        count += 1
        bytes += row.weight
        lastID = max(lastID, row.id)
    }

    /// Removes and returns all messages of a chat, oldest first.
    mutating func take(_ chat: ChatID) -> ArraySlice<Row> {
        let rows = tails.removeValue(forKey: chat)?.rows ?? []
        forget(rows)
        return rows
    }

    /// Removes and returns up to `limit` messages, oldest first, of the chat with the oldest message.
    mutating func takeOldest(limit: Int) -> ArraySlice<Row> {
        dropStale()
        guard let chat = queue.popFirst()?.chat else { return [] }
        guard let waiting = tails[chat]?.rows.count, waiting > limit else { return take(chat) }
        let rows = tails[chat]?.removeFirst(limit) ?? []
        forget(rows)
        if let next = tails[chat]?.rows.first?.id { queue.insert((chat, next), at: place(of: next)) }
        return rows
    }

    private mutating func forget(_ rows: ArraySlice<Row>) {
        count -= rows.count
        for row in rows { bytes -= row.weight }
    }

    /// The lowest id of the messages here, or the next id if there are none.
    mutating func lowestID() -> Int64 {
        dropStale()
        return queue.first?.id ?? lastID + 1
    }

    /// The id below which to remove rows from the table now; `nil` if there are too few to be worth a
    /// statement.
    ///
    /// At most `limit` ids beyond the last removal: a few thousand rows are fast, all of them would take too
    /// long.
    mutating func nextRemoval(limit: Int64) -> Int64? {
        let end = min(lowestID(), removedBelow + limit)
        guard end - removedBelow >= min(limit, 500) else { return nil }
        removedBelow = end
        return end
    }

    /// The position of an id in the queue, which is sorted by id.
    private func place(of id: Int64) -> Int {
        var (low, high) = (queue.startIndex, queue.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if queue[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Drops entries of chats whose messages were moved since.
    private mutating func dropStale() {
        while let first = queue.first, !isCurrent(first) { queue.removeFirst() }
    }

    private func isCurrent(_ place: (chat: ChatID, id: Int64)) -> Bool {
        tails[place.chat]?.rows.first?.id == place.id
    }
}
