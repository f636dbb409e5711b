package import YonderGeodesy

/// The clearing of what earlier versions left of erased content: fingerprints, and the times of late positions.
///
/// A pass goes over all messages in the order of the table, ``limit`` rows a step, and clears the rows without content and
/// every `Share`: whether a share's start had a place of arrival isn't known any more, and without a fingerprint its key
/// decides. The table `clearing` has one row, the mark: behind which message to go on, how many passes are left, and
/// when the next one may begin. It is in the database, so a backup of before brings its own mark back.
///
/// Invariants: a row is cleared in the transaction that moves the mark past it, or before; a kill repeats at most a step.
/// Two processes may take the same step; one of them moves the mark.
///
/// In PostgreSQL there are two passes, a day apart, because a node of the version before stores such fingerprints as long as
/// it runs beside newer ones. What it erases meanwhile a trigger clears (``step``).
///
/// A step reads up to ``limit`` rows without their content; it writes rows that are to be cleared, and the mark.
package struct Clearing: Hashable, Sendable {
    /// The most rows of a step.
    package static let limit = 5_000

    /// The time between two passes.
    static let rest = Duration.seconds(86_400)

    /// The chat and the number of the last message that the pass has seen; 0 before the first.
    let chat, number: Int64

    /// How many passes are left, this one included.
    let passes: Int64

    /// The time before which no step is taken.
    let due: Timestamp

    /// Whether everything is cleared.
    package var isDone: Bool { passes == 0 }

    /// Whether a step may be taken at `now`.
    package func isDue(at now: Timestamp) -> Bool { !isDone && due <= now }

    /// The stored mark.
    package static var mark: TableQuery<Clearing> {
        TableQuery(reading) { row in
            Clearing(
                chat: row.int(0),
                number: row.int(1),
                passes: row.int(2),
                due: Timestamp(milliseconds: row.int(3))
            )
        }
    }

    /// The messages of the next step, without their content.
    package func next(limit: Int = limit) -> TableQuery<Place> {
        TableQuery(Self.listing, [.int(chat), .int(number), .int(Int64(limit))]) { row in
            Place(chat: row.int(0), number: row.int(1), isLeft: row.bool(2))
        }
    }

    /// A message of a step.
    package struct Place: Sendable {
        let chat, number: Int64
        /// Whether something of erased content is left in its row.
        let isLeft: Bool
    }

    /// Clears the messages of a step, and moves the mark past them; does nothing if the mark is another by now.
    ///
    /// - Parameters:
    ///   - places: What ``next(limit:)`` answered.
    ///   - limit: Its limit.
    ///   - now: The server's time.
    ///   - transaction: The caller's transaction.
    /// - Returns: The mark behind the step.
    /// - Throws: What the database throws.
    package func clear(
        _ places: [Place],
        limit: Int = limit,
        at now: Timestamp,
        _ transaction: any TableTransaction
    ) throws -> Clearing {
        let next = behind(places, limit: limit, at: now)
        if let last = places.last, places.contains(where: \.isLeft) {
            let range = [chat, number, last.chat, last.number].map(TableValue.int)
            try transaction.execute(Self.clearing, range)
        }
        if next.passes < passes { try transaction.execute(Self.leaving) }
        try transaction.execute(
            Self.moving,
            [next.chat, next.number, next.passes, next.due.milliseconds, chat, number, passes].map(
                TableValue.int
            )
        )
        return next
    }

    private func behind(_ places: [Place], limit: Int, at now: Timestamp) -> Clearing {
        guard let last = places.last, places.count >= limit else {
            return Clearing(chat: 0, number: 0, passes: passes - 1, due: now + Self.rest)
        }
        return Clearing(chat: last.chat, number: last.number, passes: passes, due: due)
    }

    /// Begins anew, with one pass: rows may have come from another database.
    package static let again: TableStatement =
        "UPDATE clearing SET chat = 0, number = 0, passes = 1, due = 0"

    private static let reading: TableStatement = "SELECT chat, number, passes, due FROM clearing"

    private static let isEmpty = "tag = 'Share' OR (length(content) = 0 AND data IS NULL)"

    private static let isLeft = "fingerprint <> 0 OR coalesce(late, 0) <> 0"

    // CASE, so that SQLite doesn't read past a content of many pages to its fingerprint.
    private static let listing: TableStatement = """
        SELECT chat, number, CASE WHEN \(isEmpty) THEN \(isLeft) ELSE false END FROM message
        WHERE (chat, number) > ($1, $2) ORDER BY chat, number LIMIT $3
        """

    private static let clearing: TableStatement = """
        UPDATE message SET fingerprint = 0, late = 0 * late
        WHERE (chat, number) > ($1, $2) AND (chat, number) <= ($3, $4) AND (\(isEmpty)) AND (\(isLeft))
        """

    /// What the starts of chats of removed people have left.
    private static let leaving: TableStatement = """
        DELETE FROM started WHERE NOT EXISTS (SELECT 1 FROM account WHERE account.id = started.creator)
        """

    private static let moving: TableStatement = """
        UPDATE clearing SET chat = $1, number = $2, passes = $3, due = $4 WHERE chat = $5 AND number = $6 AND passes = $7
        """
}

extension Clearing {
    /// The step of the schema that makes the mark, without touching a message.
    ///
    /// The trigger of PostgreSQL clears what a node of the version before empties. A database without messages has
    /// nothing to clear.
    static let step: [TableStatement] = [
        "CREATE TABLE clearing (chat bigint NOT NULL, number bigint NOT NULL, passes bigint NOT NULL, due bigint NOT NULL)",
        TableStatement(
            "INSERT INTO clearing SELECT 0, 0, CASE WHEN EXISTS (SELECT 1 FROM message) THEN 2 ELSE 0 END, 0",
            sqlite: "INSERT INTO clearing SELECT 0, 0, EXISTS (SELECT 1 FROM message), 0"
        ),
        .inPostgreSQL(
            """
            CREATE FUNCTION cleared_message() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                NEW.fingerprint := 0;
                NEW.late := 0 * NEW.late;
                RETURN NEW;
            END $$
            """
        ),
        .inPostgreSQL(
            """
            CREATE TRIGGER message_cleared BEFORE UPDATE OF content, data ON message FOR EACH ROW
            WHEN (length(NEW.content) = 0 AND NEW.data IS NULL AND (NEW.fingerprint <> 0 OR coalesce(NEW.late, 0) <> 0))
            EXECUTE FUNCTION cleared_message()
            """
        ),
    ]
}
