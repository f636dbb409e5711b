/// The chats, or contacts, whose reads are under way, and which of these must be read once more.
struct RefreshTable<Key: Hashable> {
    private var running: [Key: Bool] = [:]

    /// Called when a chat or contact changed.
    ///
    /// - Returns: Whether to read it now; `false` if a read is under way, which is then repeated.
    mutating func begin(_ key: Key) -> Bool {
        guard running[key] == nil else {
            running[key] = true
            return false
        }
        running[key] = false
        return true
    }

    /// Whether a read of the chat or contact is under way.
    func isRunning(_ key: Key) -> Bool { running[key] != nil }

    /// Called when a read ended.
    ///
    /// - Returns: Whether to read again.
    mutating func end(_ key: Key) -> Bool {
        if running[key] ?? false {
            running[key] = false
            return true
        }
        running[key] = nil
        return false
    }
}
