import YonderModel

/// The chats, or contacts, whose reads are under way, and which of these must be read once more.
///
/// `ChatLists` and `ContactLists` have one each, on the loop. It is a plain value, and nothing fails. Each ``begin(_:)``
/// that returned `true` needs an ``end(_:)``, also after an error. That an overtaken answer is never shown must stay: a
/// session would get an older state after a newer one (`RefreshTableTests`).
struct RefreshTable<Key: Hashable> {
    private struct Read {
        var isOvertaken = false
        var gone: Set<UserID> = []
    }

    private var running: [Key: Read] = [:]

    /// Creates a table without reads.
    init() {}

    /// Called when a chat or contact changed.
    ///
    /// - Returns: Whether to read it now; `false` if a read is under way, which is then repeated.
    mutating func begin(_ key: Key) -> Bool {
        guard running[key] == nil else {
            running[key]?.isOvertaken = true
            return false
        }
        running[key] = Read()
        return true
    }

    /// Called when users have left a chat: an answer to the read under way may still have them.
    mutating func left(_ users: [UserID], _ key: Key) {
        running[key]?.gone.formUnion(users)
    }

    /// Whether a user has left since the read under way began: what it says of them must not be told.
    func hasLeft(_ user: UserID, _ key: Key) -> Bool { running[key]?.gone.contains(user) ?? false }

    /// Whether there was a change since the read under way began.
    func isOvertaken(_ key: Key) -> Bool { running[key]?.isOvertaken ?? false }

    /// Whether a read of the chat or contact is under way.
    func isRunning(_ key: Key) -> Bool { running[key] != nil }

    /// Called when a read ended.
    ///
    /// - Returns: Whether to read again.
    mutating func end(_ key: Key) -> Bool {
        if isOvertaken(key) {
            running[key] = Read()
            return true
        }
        running[key] = nil
        return false
    }
}
