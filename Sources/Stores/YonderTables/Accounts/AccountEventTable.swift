import YonderGeodesy
import YonderModel
import YonderRules

/// The statements and rows of the table `account_event`: what changed in an account, by whom and from which network.
///
/// `TableStore+SignIns.swift` and `TableStore+Accounts.swift` write events in the transaction of the change itself, with the
/// account locked, so that no change is without its event. The same change at the same millisecond is one event. A failure
/// rolls the change back, too. How many are kept is ``AccountEvent/limit``; an event with a word of a newer version isn't
/// listed (`StoredWords`, decision 41).
enum AccountEventTable {
    /// Writes events of a locked account, and removes the oldest ones of the same changes.
    static func insert(_ events: [AccountEvent], of user: UserID, _ transaction: any TableTransaction) throws
    {
        for event in events {
            try transaction.execute(
                insertion,
                [
                    .int(user.rawValue), .int(event.time.milliseconds), .text(event.change.rawValue),
                    .text(event.actor.rawValue), .optional(event.network),
                ]
            )
        }
        for change in Set(events.map(\.change)) {
            try transaction.execute(
                limit,
                [.int(user.rawValue), .text(change.rawValue), .int(Int64(AccountEvent.limit))]
            )
        }
    }

    private static let insertion: TableStatement = """
        INSERT INTO account_event (person, time, change, actor, network) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (person, time, change) DO UPDATE SET actor = $4, network = $5
        """

    private static let limit: TableStatement = """
        DELETE FROM account_event WHERE person = $1 AND change = $2 AND time NOT IN (
            SELECT time FROM account_event WHERE person = $1 AND change = $2 ORDER BY time DESC LIMIT $3
        )
        """

    /// A user's events, in no order.
    static func events(of user: UserID) -> TableQuery<AccountEvent> {
        TableQuery(list, [.int(user.rawValue)]) { row in
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

    private static let list: TableStatement =
        "SELECT time, change, actor, network FROM account_event WHERE person = $1"
}
