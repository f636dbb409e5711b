#if Postgres
import YonderLibPQ
import YonderTables
package import YonderModel
package import YonderRules

// `GateRepair` of the bus reads messages of other nodes that it has missed, and compares last numbers. A failure is
// `unavailable`, and the gate reads again. The chat must be read after the messages, so that it is at least as new as
// they are; `StoredPage+Published.swift` computes the participants of each number (decision 32, `ChatGatesTests`,
// `PostgreSQLNodeTests`).

extension PostgreSQLStore: CommitLog {
    /// See ``CommitLog/stored(in:after:below:count:)``.
    package func stored(in chat: ChatID, after number: Int64, below limit: Int64?, count: Int)
        async throws(SharingError) -> StoredPage
    {
        try await answer { query in
            let wanted: [Parameter] = [
                .int(chat.rawValue), .int(number), .int(limit ?? .max), .int(Int64(count) + 1),
            ]
            let messages = try await query(Self.page, wanted).compactMap {
                MessageTable.message($0, chat: chat)
            }
            // Read after the messages, so that it is at least as new as they are.
            let known = try await ChatTable.known(chat, query)
            var recalled: [Message] = []
            for target in messages.prefix(count).compactMap(\.recalledNumber) {
                let id = Message.ID(chat: chat, number: target)
                if let message = try await MessageTable.message(id, query) { recalled.append(message) }
            }
            return StoredPage(
                chat: known.chat,
                messages: Array(messages.prefix(count)),
                recalled: recalled,
                shares: try await ShareTable.shares(of: [chat]).rows(query),
                isComplete: messages.count <= count
            )
        }
    }

    /// See ``CommitLog/lasts(of:)``.
    package func lasts(of chats: [ChatID]) async throws(SharingError) -> [ChatID: Int64] {
        let rows = try await read(Self.lastNumbers, [.ints(chats.map(\.rawValue))])
        var lasts: [ChatID: Int64] = [:]
        for row in rows {
            if let chat = ChatID(row.int(0)) { lasts[chat] = row.int(1) }
        }
        return lasts
    }

    private static let page = Statement(
        name: "storedPage",
        sql: """
            SELECT \(MessageTable.columns) FROM message
            WHERE chat = $1 AND number > $2 AND number < $3 ORDER BY number LIMIT $4
            """
    )

    private static let lastNumbers = Statement(
        name: "lastNumbers",
        sql: "SELECT id, last FROM chat WHERE id = ANY($1::bigint[])"
    )
}
#endif
