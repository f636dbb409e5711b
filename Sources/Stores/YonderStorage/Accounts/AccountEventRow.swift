import GRDB
import YonderGeodesy
import YonderModel
import YonderRules

/// The table `accountEvent`.
enum AccountEventRow {
    /// Writes events of a user, and removes the oldest ones of the same changes.
    static func insert(_ events: [AccountEvent], of user: UserID, into database: Database) throws {
        guard !events.isEmpty else { return }
        for event in events {
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO accountEvent (user, time, change, actor, network) VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user.rawValue, event.time.milliseconds, event.change.rawValue, event.actor.rawValue,
                    event.network,
                ]
            )
        }
        for change in Set(events.map(\.change)) {
            try database.execute(
                sql: """
                    DELETE FROM accountEvent WHERE user = ?1 AND change = ?2 AND time NOT IN (
                        SELECT time FROM accountEvent WHERE user = ?1 AND change = ?2 ORDER BY time DESC LIMIT ?3
                    )
                    """,
                arguments: [user.rawValue, change.rawValue, AccountEvent.limit]
            )
        }
    }

    static func events(of user: UserID, in database: Database) throws -> [AccountEvent] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT time, change, actor, network FROM accountEvent WHERE user = ?",
            arguments: [user.rawValue]
        )
        return rows.compactMap { row in
            guard let change = StoredWords.change.read(row[1])?.value,
                let actor = StoredWords.actor.read(row[2])?.value
            else { return nil }
            let time = Timestamp(milliseconds: row[0])
            return AccountEvent(time: time, change: change, actor: actor, network: row[3])
        }.sorted(by: AccountEvent.isListedBefore)
    }
}
