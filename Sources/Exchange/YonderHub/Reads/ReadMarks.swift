import YonderModel

/// The read marks of a session that aren't stored yet: the highest number of each chat.
///
/// The session stores one batch at a time. Marks that the client sends meanwhile are merged per chat, so that
/// a fast client doesn't cause more writes.
struct ReadMarks {
    private var waiting: [ChatID: Int64] = [:]
    private var isUnderWay = false

    /// The greatest number of chats with a waiting mark.
    static let limit = 256

    /// Adds a mark; returns `false` if the marks of too many chats wait already.
    mutating func add(_ chat: ChatID, _ number: Int64) -> Bool {
        guard waiting[chat] != nil || waiting.count < Self.limit else { return false }
        waiting[chat] = max(waiting[chat] ?? 0, number)
        return true
    }

    /// Removes and returns the marks to store now, in the order of their chats.
    ///
    /// The result is `nil` if no mark waits, or while the store still works on the batch before.
    mutating func next() -> [(chat: ChatID, number: Int64)]? {
        guard !isUnderWay, !waiting.isEmpty else { return nil }
        isUnderWay = true
        defer { waiting = [:] }
        return waiting.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Allows the next batch, as the store has answered.
    mutating func answered() {
        isUnderWay = false
    }
}
