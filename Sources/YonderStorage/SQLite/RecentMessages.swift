import YonderModel

/// The messages that are on the disk in the order they came, and not yet among those of their chats.
///
/// A commit of a thousand messages to a thousand chats would write a page of each index for every one of them, 16 KiB
/// a message. So they are first appended to the table `recent`, some 20 to a page, and moved to `message` later, when
/// there are many of a chat, or when somebody wants to read them. This says which, and when it is time to.
struct RecentMessages {
    /// One of them, with what its key is known by.
    struct Row {
        let id: Int64
        let message: Message
        let key: String
        let fingerprint: Int64

        /// About how many bytes it takes in memory.
        var weight: Int { 256 + message.content.utf8.count + (message.data?.bytes.count ?? 0) }
    }

    private struct Key: Hashable {
        let sender: UserID
        let key: String

        /// By byte: `String` takes a composed and a decomposed é for one.
        static func == (left: Self, right: Self) -> Bool {
            left.sender == right.sender && left.key.utf8.elementsEqual(right.key.utf8)
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

    /// Chats in the order of their oldest message's id; some are no longer, or again, in `tails`.
    private var queue: ArraySlice<(chat: ChatID, id: Int64)> = []
    private(set) var count = 0

    /// About how many bytes the messages take in memory.
    private(set) var bytes = 0

    /// The id of the row that was added last.
    private(set) var lastID: Int64

    /// Rows with lower ids are in the table no more.
    private(set) var removedBelow: Int64

    /// Creates an empty memory beside a table whose ids lie in `firstID...lastID`.
    init(firstID: Int64 = 1, lastID: Int64 = 0) {
        self.lastID = lastID
        removedBelow = firstID
    }

    /// Which chats have any.
    var chats: some Sequence<ChatID> { tails.keys }

    /// Which chats have any that will expire.
    var expiringChats: [ChatID] { tails.filter(\.value.mayExpire).map(\.key) }

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

    /// Takes all messages of a chat, oldest first.
    mutating func take(_ chat: ChatID) -> ArraySlice<Row> {
        let rows = tails.removeValue(forKey: chat)?.rows ?? []
        forget(rows)
        return rows
    }

    /// Takes up to `limit` messages, oldest first, of the chat whose oldest has waited longest.
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

    /// The lowest id of those that are here, or the next one.
    mutating func lowestID() -> Int64 {
        dropStale()
        return queue.first?.id ?? lastID + 1
    }

    /// Notes that the table has only the rows that are here.
    mutating func removedOthers() {
        removedBelow = max(removedBelow, lowestID())
    }

    /// Up to which id, exclusively, rows are to be removed from the table now; `nil` if there are too few for the trouble.
    ///
    /// At most `limit` ids further than the last time: a few thousand rows take a moment, all of them too long.
    mutating func nextRemoval(limit: Int64) -> Int64? {
        let end = min(lowestID(), removedBelow + limit)
        guard end - removedBelow >= min(limit, 500) else { return nil }
        removedBelow = end
        return end
    }

    /// Where in the queue, which is in the order of ids, an id belongs.
    private func place(of id: Int64) -> Int {
        var (low, high) = (queue.startIndex, queue.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if queue[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Drops chats that have been taken since they came into the queue.
    private mutating func dropStale() {
        while let first = queue.first, !isCurrent(first) { queue.removeFirst() }
    }

    private func isCurrent(_ place: (chat: ChatID, id: Int64)) -> Bool {
        tails[place.chat]?.rows.first?.id == place.id
    }
}
