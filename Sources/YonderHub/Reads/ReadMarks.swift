import YonderModel

/// How far a session's client says that it has read, as far as that isn't stored: the furthest mark of each chat.
///
/// One batch is under way at a time, so that a client that sends marks faster than they are stored has them joined.
struct ReadMarks {
    private var waiting: [ChatID: Int64] = [:]
    private var isUnderWay = false

    /// In how many chats there may be marks that wait.
    static let limit = 256

    /// Takes a mark; `false` if too many wait.
    mutating func add(_ chat: ChatID, _ number: Int64) -> Bool {
        guard waiting[chat] != nil || waiting.count < Self.limit else { return false }
        waiting[chat] = max(waiting[chat] ?? 0, number)
        return true
    }

    /// The marks to store now, in the order of their chats; `nil` if there are none, or while others are under way.
    mutating func next() -> [(chat: ChatID, number: Int64)]? {
        guard !isUnderWay, !waiting.isEmpty else { return nil }
        isUnderWay = true
        defer { waiting = [:] }
        return waiting.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Notes that the marks under way were answered.
    mutating func answered() {
        isUnderWay = false
    }
}
