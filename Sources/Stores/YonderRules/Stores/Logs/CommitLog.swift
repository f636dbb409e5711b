package import YonderModel

/// The chats' messages in a store that several nodes write to.
///
/// A node reads a message here whose frame from the writing node was lost or is late: `GateRepair` calls it, for the
/// numbers that a chat gate misses and at each sweep. `PostgreSQLStore` implements it; a store of one writer has none. A
/// read that throws changes nothing, and is made again after the gate's wait. The messages of an answer must be from one
/// snapshot, without numbers left out, and the rest of it at least as new: a gate takes the store's word (decision 32,
/// `ChatGatesTests`).
package protocol CommitLog: Sendable {
    /// Messages of a chat as they are stored now, for any reader.
    ///
    /// - Parameters:
    ///   - chat: The chat.
    ///   - number: The number behind which the page begins.
    ///   - limit: The number before which it ends, or `nil` for the chat's last.
    ///   - count: How many at most.
    /// - Returns: The page.
    /// - Throws: `unknownChat`, `unavailable`.
    func stored(
        in chat: ChatID,
        after number: Int64,
        below limit: Int64?,
        count: Int
    ) async throws(SharingError) -> StoredPage

    /// The numbers of the last messages of chats, without those that don't exist.
    ///
    /// - Throws: `unavailable`.
    func lasts(of chats: [ChatID]) async throws(SharingError) -> [ChatID: Int64]
}
