#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel

/// The table `message`.
enum MessageTable {
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

    static func message(_ id: Message.ID, _ query: Query) async throws -> Message? {
        let rows = try await query(one, [.int(id.chat.rawValue), .int(id.number)])
        return rows.first.flatMap { message($0, chat: id.chat) }
    }

    /// A message that was stored under a key.
    struct Known: Sendable {
        let message: Message
        let key: [UInt8]

        /// That of the submission.
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
                .int(message.chat.rawValue), .int(message.number), .int(message.sender.rawValue),
                .text(message.tag.rawValue), .utf8(message.content), .optional(message.data?.bytes),
                .int(message.time.milliseconds), .optional(message.expires?.milliseconds),
                key.map(Parameter.utf8) ?? .null, .int(fingerprint), .optional(message.written),
                .optional(message.share?.rawValue), .optional(message.lateness),
            ]
        )
    }

    /// Removes content and data.
    static func recall(_ message: Message, _ transaction: Transaction) async throws {
        try await transaction.execute(recalling, [.int(message.chat.rawValue), .int(message.number)])
    }

    /// Keeps the number of a sender's last position that isn't late.
    static func setLast(_ message: Message, _ transaction: Transaction) async throws {
        try await transaction.execute(
            settingLast,
            [.int(message.chat.rawValue), .int(message.sender.rawValue), .int(message.number)]
        )
    }

    /// How many messages are written up to a number that the chat still has.
    static func written(upTo number: Int64, in chat: ChatID, _ query: Query) async throws -> Int64 {
        try await query(counting, [.int(chat.rawValue), .int(number)]).first?.int(0) ?? 0
    }

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
        sql: "UPDATE message SET content = '', data = NULL, recalled = true WHERE chat = $1 AND number = $2"
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
