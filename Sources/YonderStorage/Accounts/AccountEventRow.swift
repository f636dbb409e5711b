import GRDB
import YonderGeodesy
import YonderModel

/// The table `accountEvent`.
enum AccountEventRow {
    /// Writes events of a user, and removes those beyond ``AccountEvent/limit``.
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
        for old in try self.events(of: user, in: database).dropFirst(AccountEvent.limit) {
            try database.execute(
                sql: "DELETE FROM accountEvent WHERE user = ? AND time = ? AND change = ?",
                arguments: [user.rawValue, old.time.milliseconds, old.change.rawValue]
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
            guard let change = AccountEvent.Change(rawValue: row[1]),
                let actor = AccountEvent.Actor(rawValue: row[2])
            else { return nil }
            let time = Timestamp(milliseconds: row[0])
            return AccountEvent(time: time, change: change, actor: actor, network: row[3])
        }.sorted(by: AccountEvent.isListedBefore)
    }
}
