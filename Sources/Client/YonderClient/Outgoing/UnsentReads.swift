import YonderModel
import YonderWire

/// The read positions that are sent when there is a connection, the highest of each chat.
///
/// `SharingClient.markRead` and each connection call it. It can't fail; a mark that is lost with the process is made again
/// when the person reads on. ``limit`` may change with the documentation of `markRead` (`UnsentReadsTests`).
struct UnsentReads: Sendable {
    /// The most chats whose read positions are held; those of further chats are dropped.
    static let limit = 1_000

    private var numbers: [ChatID: Int64] = [:]
    private var isConnected = false

    /// Marks a chat's messages as read, up to a number.
    ///
    /// - Returns: The frames to write now; none without a connection.
    mutating func mark(_ chat: ChatID, upTo number: Int64) -> [ClientFrame] {
        if isConnected { return [.read(chat: chat, number: number)] }
        guard numbers[chat] != nil || numbers.count < Self.limit else { return [] }
        numbers[chat] = max(numbers[chat] ?? 0, number)
        return []
    }

    /// Call this when the connection is open.
    ///
    /// - Returns: The frames to write now.
    mutating func connected() -> [ClientFrame] {
        isConnected = true
        defer { numbers = [:] }
        return numbers.map { .read(chat: $0.key, number: $0.value) }
    }

    /// Call this when the connection ended.
    mutating func disconnected() {
        isConnected = false
    }
}
