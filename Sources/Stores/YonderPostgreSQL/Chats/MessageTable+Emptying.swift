#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

// Removing content of what has expired, and of positions that are kept no longer. The store's ports
// (`PostgreSQLStore+Chats.swift`, `PostgreSQLStore+Shares.swift`) call it, each call in a transaction of its own. Rows that
// another process works on are skipped, so that all may do so at once; what is skipped or fails is done by a later call. A
// message stays with its number, sender, tag and time (decision 15).
extension MessageTable {
    /// Empties up to `limit` expired messages, the first to expire first.
    static func expire(at now: Timestamp, limit: Int, _ transaction: Transaction) async throws -> Int {
        try await transaction.execute(expiring, [.int(now.milliseconds), .int(Int64(max(0, limit)))])
    }

    /// Chats behind `chat` whose oldest positions are due, by id: the bounds are those of each period.
    static func chatsToErase(behind chat: Int64, at now: Timestamp, _ query: Query) async throws -> [ChatID] {
        let latest = [PositionKeeping.day, .month, .year].map { now - ($0.period ?? .zero) }
        let parameters = [.int(chat)] + latest.map { Parameter.int($0.milliseconds) }
        return try await query(due, parameters).compactMap { ChatID($0.int(0)) }
    }

    /// Empties up to `limit` positions that a chat has kept for its period, among its next thousand messages.
    ///
    /// Messages are stored in the order of their arrival, so what is due lies behind what was erased, up to the first that
    /// is young enough.
    ///
    /// - Returns: How many were emptied, and whether there may be more.
    static func erasePositions(
        in chat: ChatID,
        at now: Timestamp,
        limit: Int,
        _ transaction: Transaction
    ) async throws -> (count: Int, hasMore: Bool) {
        guard let row = try await transaction.query(lockingToErase, [.int(chat.rawValue)]).first,
            let period = StoredWords.positions.read(row.text(1))?.value.period
        else { return (0, false) }
        let rows = try await transaction.query(old, [.int(chat.rawValue), .int(row.int(0))])
        let latest = (now - period).milliseconds
        var last = row.int(0)
        var numbers: [Int64] = []
        var seen = 0
        while seen < rows.count, numbers.count < limit, rows[seen].int(1) <= latest {
            last = rows[seen].int(0)
            if rows[seen].bool(2) { numbers.append(last) }
            seen += 1
        }
        try await transaction.execute(emptying, [.int(chat.rawValue), .ints(numbers)])
        try await transaction.execute(
            settingErased,
            [.int(chat.rawValue), .int(last), .int(numbers.isEmpty ? 0 : 1)]
        )
        return (numbers.count, seen == rows.count && seen == 1_000)
    }

    /// Empties the positions of a share among the next `limit` of its person behind ``Share/after``.
    ///
    /// - Returns: How many were emptied, up to which number, and whether there may be more.
    static func erase(_ share: Share, limit: Int, _ transaction: Transaction) async throws -> (
        count: Int, through: Int64, hasMore: Bool
    ) {
        let rows = try await transaction.query(
            positions,
            [
                .int(share.chat.rawValue), .int(share.user.rawValue), .int(share.after),
                .int(share.id.rawValue), .int(Int64(limit)),
            ]
        )
        let numbers = rows.filter { $0.bool(1) }.map { $0.int(0) }
        try await transaction.execute(emptying, [.int(share.chat.rawValue), .ints(numbers)])
        return (numbers.count, rows.last?.int(0) ?? share.after, rows.count == limit)
    }

    /// What erasing sets: nothing derived from the content stays, but that a position was late.
    static let emptied = "content = '', data = NULL, fingerprint = 0, late = 0 * late"

    private static let expiring = Statement(
        name: "expire",
        sql: """
            UPDATE message SET \(emptied) WHERE (chat, number) IN (
                SELECT chat, number FROM message
                WHERE expires IS NOT NULL AND (content <> '' OR data IS NOT NULL) AND expires <= $1
                ORDER BY expires, chat, number LIMIT $2 FOR UPDATE SKIP LOCKED
            )
            """
    )

    private static let due = Statement(
        name: "chatsToErase",
        sql: """
            SELECT id FROM chat c WHERE positions <> 'forever' AND id > $1 AND (
                SELECT m.time FROM message m WHERE m.chat = c.id AND m.number > c.erased ORDER BY m.number LIMIT 1
            ) <= CASE positions WHEN 'month' THEN $3::bigint WHEN 'year' THEN $4::bigint ELSE $2::bigint END
            ORDER BY id LIMIT 100
            """
    )

    private static let lockingToErase = Statement(
        name: "lockToErase",
        sql: "SELECT erased, positions FROM chat WHERE id = $1 FOR UPDATE SKIP LOCKED"
    )

    private static let old = Statement(
        name: "oldMessages",
        sql: """
            SELECT number, time, tag = 'Location' AND (content <> '' OR data IS NOT NULL) FROM message
            WHERE chat = $1 AND number > $2 ORDER BY number LIMIT 1000
            """
    )

    private static let emptying = Statement(
        name: "emptyMessages",
        sql: "UPDATE message SET \(emptied) WHERE chat = $1 AND number = ANY($2::bigint[])"
    )

    private static let settingErased = Statement(
        name: "setErased",
        sql: "UPDATE chat SET erased = $2, version = version + $3 WHERE id = $1"
    )

    private static let positions = Statement(
        name: "positionsOfSender",
        sql: """
            SELECT number, share IS NOT DISTINCT FROM $4 AND (content <> '' OR data IS NOT NULL) FROM message
            WHERE chat = $1 AND sender = $2 AND tag = 'Location' AND number > $3 ORDER BY number LIMIT $5
            """
    )
}
#endif
