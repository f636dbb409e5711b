#if Postgres
import YonderLibPQ
import YonderModel

/// Chats whose rows another transaction keeps locked, such as that of a frozen server.
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
