#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// The table `account_event`.
enum AccountEventTable {
    /// Writes events of a locked account, and removes the oldest ones of the same changes.
    static func insert(_ events: [AccountEvent], of user: UserID, _ transaction: Transaction) async throws {
        guard !events.isEmpty else { return }
        for event in events {
            try await transaction.execute(
                insertion,
                [
                    .int(user.rawValue), .int(event.time.milliseconds), .text(event.change.rawValue),
                    .text(event.actor.rawValue), .optional(event.network),
                ]
            )
        }
        for change in Set(events.map(\.change)) {
            try await transaction.execute(
                limit,
                [.int(user.rawValue), .text(change.rawValue), .int(Int64(AccountEvent.limit))]
            )
        }
    }

    private static let insertion = Statement(
        name: "insert_account_event",
        sql: """
            INSERT INTO account_event (person, time, change, actor, network) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (person, time, change) DO UPDATE SET actor = $4, network = $5
            """
    )

    private static let limit = Statement(
        name: "limit_account_events",
        sql: """
            DELETE FROM account_event WHERE person = $1 AND change = $2 AND time IN (
                SELECT time FROM account_event WHERE person = $1 AND change = $2 ORDER BY time DESC OFFSET $3
            )
            """
    )

    static let list = Statement(
        name: "account_events",
        sql: "SELECT time, change, actor, network FROM account_event WHERE person = $1"
    )

    static func event(_ row: Row) -> AccountEvent? {
        guard let change = StoredWords.change.read(row.text(1))?.value,
            let actor = StoredWords.actor.read(row.text(2))?.value
        else { return nil }
        return AccountEvent(
            time: Timestamp(milliseconds: row.int(0)),
            change: change,
            actor: actor,
            network: row.optionalText(3)
        )
    }
}
#endif
