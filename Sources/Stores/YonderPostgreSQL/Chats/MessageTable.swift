#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// The statements and rows of the table `message`: single messages and times here, emptying in
/// `MessageTable+Emptying.swift`, lists in `MessageConditions` and `LastPositions`.
///
/// `ChatChange` and `ChatWriter` write and look up by it in their transactions, the readers of chats on a reader. A function
/// throws what its query throws; in a transaction this can then only be rolled back. Only ``insert(_:key:fingerprint:_:)``
/// refuses to be called twice: a number or a key that exists is an error, never ignored, because it would hide a lost order.
///
/// A further column goes to the end of ``columns``, and ``count`` rises: other statements select columns behind these.
/// Messages of a chat have numbers without gaps, and times that don't fall with them (decisions 30 and 40);
/// `StatementCostTests` holds the cost.
enum MessageTable {
    /// The columns that ``message(_:chat:)`` reads, in this order, from 0.
    static let columns = "number, sender, tag, content, data, time, expires, recalled, written, share, late"

    /// How many columns ``columns`` has.
    static let count = 11

    /// Reads ``columns``; `nil` for a row that no version of the program writes.
    static func message(_ row: Row, chat: ChatID) -> Message? {
        guard let sender = UserID(row.int(1)), let tag = MessageTag(row.text(2)) else { return nil }
        var message = Message(
            chat: chat,
            number: row.int(0),
            sender: sender,
            tag: tag,
            content: row.text(3),
            data: row.optionalBytes(4).map { MessageData(checked: $0) },
            time: Timestamp(milliseconds: row.int(5)),
            expires: row.optionalInt(6).map(Timestamp.init(milliseconds:)),
            written: row.optionalInt(8),
            isLate: !row.isNull(10),
            isRecalled: row.bool(7)
        )
        message.share = row.optionalInt(9).flatMap { ShareID($0) }
        return message
    }

    /// One message as it is stored, also if it has expired; `nil` if the chat has none of this number.
    static func message(_ id: Message.ID, _ query: Query) async throws -> Message? {
        let rows = try await query(one, [.int(id.chat.rawValue), .optional(id.number)])
        return rows.first.flatMap { message($0, chat: id.chat) }
    }

    /// A message that was stored under a key.
    struct Known: Sendable {
        /// The message as it is stored.
        let message: Message

        /// The submission's key, in UTF-8.
        let key: [UInt8]

        /// What is kept of the submission's fingerprint: another one under the same key is another message, but for 0.
        let fingerprint: Int64
    }

    /// The messages that are stored under the keys of submissions.
    static func known(_ submissions: [Submission], _ query: Query) async throws -> [Known] {
        let parameters: [Parameter] = [
            .ints(submissions.map(\.chat.rawValue)), .ints(submissions.map(\.sender.rawValue)),
            .byteArrays(submissions.map { Array($0.key.utf8) }),
        ]
        return try await query(keyLookUp, parameters).compactMap { row in
            ChatID(row.int(count + 2)).flatMap { message(row, chat: $0) }.map {
                Known(message: $0, key: row.bytes(count + 1), fingerprint: row.int(count))
            }
        }
    }

    /// Inserts a message.
    ///
    /// - Throws: ``LinkFailure`` for a duplicate if its number or key exists: a conflict is never ignored.
    static func insert(_ message: Message, key: String?, fingerprint: Int64, _ transaction: Transaction)
        async throws
    {
        try await transaction.execute(
            insertion,
            [
                .int(message.chat.rawValue), .optional(message.number), .int(message.sender.rawValue),
                .text(message.tag.rawValue), .utf8(message.content), .optional(message.data?.bytes),
                .int(message.time.milliseconds), .optional(message.expires?.milliseconds),
                key.map(Parameter.utf8) ?? .null, .int(fingerprint), .optional(message.written),
                .optional(message.share?.rawValue), .optional(message.lateness),
            ]
        )
    }

    /// Removes content and data with what is derived from them, and marks the message as recalled.
    static func recall(_ message: Message, _ transaction: Transaction) async throws {
        try await transaction.execute(recalling, [.int(message.chat.rawValue), .optional(message.number)])
    }

    /// Keeps the number of a sender's last position that isn't late.
    static func setLast(_ message: Message, _ transaction: Transaction) async throws {
        try await transaction.execute(
            settingLast,
            [.int(message.chat.rawValue), .int(message.sender.rawValue), .optional(message.number)]
        )
    }

    /// How many messages of its chat are written up to a message that the chat still has.
    static func written(upTo message: Message, _ query: Query) async throws -> Int64 {
        let parameters: [Parameter] = [.int(message.chat.rawValue), .optional(message.number)]
        return try await query(counting, parameters).first?.int(0) ?? 0
    }

    /// The numbers among which all messages of a time window are, found by bisection in the database.
    ///
    /// A minute more at both ends: nodes of an earlier version, beside which a new one may run, don't raise times, and
    /// clocks differ.
    static func numbers(of window: TimeWindow, in chat: Chat, _ query: Query) async throws -> Range<Int64> {
        let minute = Int64(60_000)
        let parameters: [Parameter] = [
            .int(chat.id.rawValue), .int(chat.first), .int(chat.last),
            .int((window.lowest?.milliseconds).map { max($0, .min + minute) - minute } ?? .min),
            .int((window.end?.milliseconds).map { min($0, .max - minute) + minute } ?? .max),
        ]
        let row = try await query(bisection, parameters).first
        let (lowest, end) = (row?.int(0) ?? chat.first, row?.int(1) ?? chat.last + 1)
        return lowest..<max(lowest, end)
    }

    /// The times of the newest messages of chats; those without a message are missing.
    static func newestTimes(of chats: [ChatID], _ query: Query) async throws -> [ChatID: Timestamp] {
        let rows = try await query(newestTimes, [.ints(chats.map(\.rawValue))])
        let times = rows.compactMap { row in
            ChatID(row.int(0)).map { ($0, Timestamp(milliseconds: row.int(1))) }
        }
        return Dictionary(times) { first, _ in first }
    }

    private static let newestTimes = Statement(
        name: "newestTimes",
        sql: """
            SELECT t.chat, m.time FROM unnest($1::bigint[]) t(chat) CROSS JOIN LATERAL (
                SELECT time FROM message WHERE message.chat = t.chat ORDER BY number DESC LIMIT 1
            ) m
            """
    )

    /// The first numbers among `$2` to `$3` with times from `$4` and from `$5` on.
    private static let bisection = Statement(
        name: "numbersOfTimes",
        sql: """
            WITH RECURSIVE search(place, bound, low, high) AS (
                VALUES (1, $4::bigint, $2::bigint, $3::bigint + 1), (2, $5::bigint, $2::bigint, $3::bigint + 1)
                UNION ALL
                SELECT place, bound, CASE WHEN found.time < bound THEN middle + 1 ELSE low END,
                    CASE WHEN found.time < bound THEN high ELSE middle END
                FROM (SELECT *, low + (high - low) / 2 AS middle FROM search WHERE low < high) s
                LEFT JOIN LATERAL (
                    SELECT time FROM message WHERE chat = $1 AND number >= middle ORDER BY number LIMIT 1
                ) found ON true
            )
            SELECT min(low) FILTER (WHERE place = 1), min(low) FILTER (WHERE place = 2) FROM search WHERE low >= high
            """
    )

    private static let one = Statement(
        name: "message",
        sql: "SELECT \(columns) FROM message WHERE chat = $1 AND number = $2"
    )

    private static let keyLookUp = Statement(
        name: "messagesByKey",
        sql: """
            SELECT \(columns.split(separator: ", ").map { "m.\($0)" }.joined(separator: ", ")), fingerprint, m.key, m.chat
            FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) t(chat, sender, key)
            CROSS JOIN LATERAL (
                SELECT * FROM message WHERE chat = t.chat AND sender = t.sender AND key = t.key OFFSET 0
            ) m
            """
    )

    private static let insertion = Statement(
        name: "insertMessage",
        sql: """
            INSERT INTO message (
                chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late
            ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """
    )

    private static let recalling = Statement(
        name: "recallMessage",
        sql: "UPDATE message SET \(emptied), recalled = true WHERE chat = $1 AND number = $2"
    )

    private static let settingLast = Statement(
        name: "setLocationLast",
        sql: """
            INSERT INTO location_last (chat, sender, number) VALUES ($1, $2, $3)
            ON CONFLICT (chat, sender) DO UPDATE SET number = excluded.number
            """
    )

    private static let counting = Statement(
        name: "writtenUpTo",
        sql: """
            SELECT written FROM message WHERE chat = $1 AND written IS NOT NULL AND number <= $2
            ORDER BY number DESC LIMIT 1
            """
    )
}

extension Message {
    /// What the column `late` has: the position's time, for a late one.
    var lateness: Int64? { isLate ? moment.milliseconds : nil }
}
#endif
