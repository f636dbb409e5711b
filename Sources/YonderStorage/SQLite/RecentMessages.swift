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

    /// Chats by the age of what they had when they came in; some are no longer, or again, in `tails`.
    private var queue: ArraySlice<(chat: ChatID, id: Int64)> = []
    private(set) var count = 0

    /// The id of the row that was added last.
    private(set) var lastID: Int64 = 0

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
        lastID = max(lastID, row.id)
    }

    /// Takes all messages of a chat, oldest first.
    mutating func take(_ chat: ChatID) -> ArraySlice<Row> {
        let rows = tails.removeValue(forKey: chat)?.rows ?? []
        count -= rows.count
        return rows
    }

    /// Takes up to `limit` messages, oldest first, of the chat whose oldest has waited longest.
    mutating func takeOldest(limit: Int) -> ArraySlice<Row> {
        dropStale()
        guard let chat = queue.first?.chat, let tail = tails[chat] else { return [] }
        guard tail.rows.count > limit else {
            queue.removeFirst()
            return take(chat)
        }
        let rows = tails[chat]?.removeFirst(limit) ?? []
        count -= rows.count
        if let next = tails[chat]?.rows.first?.id { queue[queue.startIndex].id = next }
        return rows
    }

    /// The lowest id of those that are here, or the next one.
    mutating func lowestID() -> Int64 {
        dropStale()
        // In the order of ids, but for the first, of which a part may have been taken.
        let rest = queue.dropFirst().first(where: isCurrent)?.id ?? lastID + 1
        return min(queue.first?.id ?? lastID + 1, rest)
    }

    /// Drops chats that have been taken since they came into the queue.
    private mutating func dropStale() {
        while let first = queue.first, !isCurrent(first) { queue.removeFirst() }
    }

    private func isCurrent(_ place: (chat: ChatID, id: Int64)) -> Bool {
        tails[place.chat]?.rows.first?.id == place.id
    }
}
