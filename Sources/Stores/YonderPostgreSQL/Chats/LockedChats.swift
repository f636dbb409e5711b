#if Postgres
import YonderLibPQ
import YonderModel

/// Chats whose rows another transaction keeps locked, such as that of a frozen server.
///
/// `ChatWriter` asks after a statement has timed out, and again each time it writes, until the rows are free; it refuses
/// submissions to these chats meanwhile. Asking waits for no lock. If it fails, the writer knows no more than before.
enum LockedChats {
    /// The chats among these that are locked now.
    static func among(_ chats: some Collection<ChatID>, _ query: Query) async throws -> Set<ChatID> {
        let rows = try await query(free, [.ints(chats.map(\.rawValue))])
        return Set(chats).subtracting(rows.compactMap { ChatID($0.int(0)) })
    }

    /// Locks the rows that no other transaction has locked, and releases them at the statement's end.
    private static let free = Statement(
        name: "freeChats",
        sql: "SELECT id FROM chat WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED"
    )
}
#endif
