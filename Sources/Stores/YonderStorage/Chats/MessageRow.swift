import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// The table `message`.
///
/// `ChatWriter` inserts, recalls and empties in its transaction, on the writer; `MessageReader`, `ChatRow` and
/// `ReadingRow` read on any reader. On a failing disk `message` is a view without indexes, so each query that names one
/// has a form without. Any error of a write fails the transaction; a second message of a number or key is
/// `SQLITE_CONSTRAINT`.
///
/// The order of ``columns`` is that of ``bind(_:key:fingerprint:to:)`` and ``message(_:chat:)``, and must change in all
/// three. The names of indexes in the statements must stay: without them SQLite walks through the chat
/// (`StatementCostTests`, `LastPositionTests`). Columns are added by a step of `SQLiteStore+Migrations.swift`.
enum MessageRow {
    static let columns = "number, sender, tag, content, data, time, expires, recalled, written, share, late"

    /// How many columns ``columns`` has.
    static let count: CInt = 11

    /// What erasing sets: nothing derived from the content stays, but that a position was late.
    private static let emptied = "content = x'', data = NULL, fingerprint = 0, late = 0 * late"

    private static let insertion = """
        INSERT INTO message (
            chat, number, sender, tag, content, data, time, expires, key, fingerprint, written, share, late
        )
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// The error for a row that no version of the program writes.
    static var unreadable: DatabaseError {
        DatabaseError(resultCode: .corrupt, message: "A message with an invalid chat, sender or tag.")
    }

    /// Inserts a message.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CONSTRAINT` if its number or key exists: a conflict is never
    ///   ignored.
    static func insert(_ message: Message, key: String?, fingerprint: Int64, into database: Database) throws {
        let statement = try Statement(database, insertion)
        bind(message, key: key, fingerprint: fingerprint, to: statement)
        try statement.run()
    }

    /// Binds what a message has to the places 1 to 12.
    static func bind(_ message: Message, key: String?, fingerprint: Int64, to statement: Statement) {
        statement.bind(message.chat.rawValue, at: 1)
        statement.bind(message.number, at: 2)
        statement.bind(message.sender.rawValue, at: 3)
        statement.bind(text: message.tag.rawValue, at: 4)
        statement.bind(utf8: message.content, at: 5)
        statement.bind(bytes: message.data?.bytes, at: 6)
        statement.bind(message.time.milliseconds, at: 7)
        statement.bind(message.expires?.milliseconds, at: 8)
        if let key { statement.bind(utf8: key, at: 9) } else { statement.bind(nil, at: 9) }
        statement.bind(fingerprint, at: 10)
        statement.bind(message.written, at: 11)
        statement.bind(message.share?.rawValue, at: 12)
        statement.bind(message.isLate ? message.moment.milliseconds : nil, at: 13)
    }

    /// The text of what ``isKnown(_:in:with:)`` runs.
    static let keyLookUp = "SELECT 1 FROM message WHERE chat = ? AND sender = ? AND key = ?"

    /// Whether a submission's key is known.
    static func isKnown(_ submission: Submission, in database: Database, with lookUp: KeptStatement) throws
        -> Bool
    {
        let statement = try Statement(database, lookUp)
        statement.bind(submission.chat.rawValue, at: 1)
        statement.bind(submission.sender.rawValue, at: 2)
        statement.bind(utf8: submission.key, at: 3)
        return try statement.first { _ in true } ?? false
    }

    /// The message stored under a submission's key, with the fingerprint that is kept of the original submission.
    static func known(_ submission: Submission, in database: Database) throws -> (
        Message, fingerprint: Int64
    )? {
        let statement = try Statement(
            database,
            "SELECT \(columns), fingerprint FROM message WHERE chat = ? AND sender = ? AND key = ?"
        )
        statement.bind(submission.chat.rawValue, at: 1)
        statement.bind(submission.sender.rawValue, at: 2)
        statement.bind(utf8: submission.key, at: 3)
        return try statement.first { (try message($0, chat: submission.chat), $0.integer(count)) }
    }

    static func message(_ id: Message.ID, in database: Database) throws -> Message? {
        let statement = try Statement(
            database,
            "SELECT \(columns) FROM message WHERE chat = ? AND number = ?"
        )
        statement.bind(id.chat.rawValue, at: 1)
        statement.bind(id.number, at: 2)
        return try statement.first { try message($0, chat: id.chat) }
    }

    /// The time of a chat's first message from a number on; `nil` if there is none.
    static func time(from number: Int64, of chat: ChatID, in database: Database) throws -> Timestamp? {
        let statement = try Statement(
            database,
            "SELECT time FROM message WHERE chat = ? AND number >= ? ORDER BY number LIMIT 1"
        )
        statement.bind(chat.rawValue, at: 1)
        statement.bind(number, at: 2)
        return try statement.first { Timestamp(milliseconds: $0.integer(0)) }
    }

    /// The time of a chat's newest message; `nil` if there is none.
    static func newestTime(of chat: ChatID, in database: Database) throws -> Timestamp? {
        let statement = try Statement(
            database,
            "SELECT time FROM message WHERE chat = ? ORDER BY number DESC LIMIT 1"
        )
        statement.bind(chat.rawValue, at: 1)
        return try statement.first { Timestamp(milliseconds: $0.integer(0)) }
    }

    /// SQL for one column of the newest written message of a chat, which SQL names, too; found by the index.
    static func newestWritten(_ column: String, of chat: String, isIndexed: Bool) -> String {
        """
        SELECT \(column) FROM message \(isIndexed ? writingIndex : "")
        WHERE chat = \(chat) AND written IS NOT NULL ORDER BY number DESC LIMIT 1
        """
    }

    /// The SQL that names the index of written messages; empty for a view, which has no index.
    ///
    /// Without it, SQLite would scan the chat by number.
    static func byWriting(in database: Database) -> String {
        FrozenReader.owns(database) ? "" : writingIndex
    }

    /// The SQL that names the index of written messages.
    static let writingIndex = "INDEXED BY messageByWriting"

    /// The newest `Location` message of a sender that has a position at `now`.
    ///
    /// Positions that aren't late came in the order of their times: the last of them that is left is the newest. Only if
    /// one was taken back, a late one may be newer. Positions of the shares in `hidden` are skipped.
    static func lastLocation(
        of sender: UserID,
        in chat: ChatID,
        hidden: Set<ShareID>,
        now: Timestamp,
        _ database: Database
    ) throws -> Message? {
        let last = try lastOnTime(of: sender, in: chat, hidden: hidden, now: now, database)
        let late = try newestLate(
            of: sender,
            in: chat,
            since: last?.moment,
            hidden: hidden,
            now: now,
            database
        )
        guard let last, let late else { return last ?? late }
        return late.isNewer(than: last) ? late : last
    }

    private static func newestLate(
        of sender: UserID,
        in chat: ChatID,
        since moment: Timestamp?,
        hidden: Set<ShareID>,
        now: Timestamp,
        _ database: Database
    ) throws -> Message? {
        let statement = try Statement(
            database,
            newestLateQuery(isIndexed: !FrozenReader.owns(database))
        )
        statement.bind(chat.rawValue, at: 1)
        statement.bind(sender.rawValue, at: 2)
        statement.bind(moment?.milliseconds ?? .min, at: 3)
        statement.bind(now.milliseconds, at: 4)
        defer { statement.reset() }
        while let row = try statement.next() {
            let message = try message(row, chat: chat)
            if !(message.share.map(hidden.contains) ?? false) { return message }
        }
        return nil
    }

    /// SQL for the late positions of a sender `?2` from a time `?3` on, newest first.
    static func newestLateQuery(isIndexed: Bool) -> String {
        """
        SELECT \(columns) FROM message \(isIndexed ? positionIndex : "")
        WHERE chat = ?1 AND sender = ?2 AND tag = 'Location' AND late >= ?3
            AND data IS NOT NULL AND (expires IS NULL OR expires > ?4)
        ORDER BY late DESC, number DESC
        """
    }

    /// SQL for the positions of a sender `?2` that came in order, newest first.
    static func lastOnTimeQuery(isIndexed: Bool) -> String {
        """
        SELECT \(columns) FROM message \(isIndexed ? positionIndex : "")
        WHERE chat = ?1 AND sender = ?2 AND tag = 'Location' AND late IS NULL
            AND data IS NOT NULL AND (expires IS NULL OR expires > ?3)
        ORDER BY number DESC
        """
    }

    /// The index of positions that have their data.
    ///
    /// SQLite would go through the chat by number instead; by any other index it would visit each emptied position. A
    /// view has no index to name.
    private static let positionIndex = "INDEXED BY messageByPosition"

    private static func lastOnTime(
        of sender: UserID,
        in chat: ChatID,
        hidden: Set<ShareID>,
        now: Timestamp,
        _ database: Database
    ) throws -> Message? {
        let statement = try Statement(
            database,
            lastOnTimeQuery(isIndexed: !FrozenReader.owns(database))
        )
        statement.bind(chat.rawValue, at: 1)
        statement.bind(sender.rawValue, at: 2)
        statement.bind(now.milliseconds, at: 3)
        defer { statement.reset() }
        while let row = try statement.next() {
            let message = try message(row, chat: chat)
            if message.share.map(hidden.contains) ?? false { continue }
            if message.position != nil { return message }
        }
        return nil
    }

    /// Empties the positions of a share among the next `limit` of its person behind ``Share/after``: the log has no
    /// index by share.
    ///
    /// - Returns: How many were emptied, up to which number, and whether there may be more.
    static func erase(_ share: Share, limit: Int, in database: Database) throws -> (
        count: Int, through: Int64, hasMore: Bool
    ) {
        let statement = try Statement(
            database,
            """
            SELECT number, share IS ?4 AND (content <> x'' OR data IS NOT NULL) FROM message INDEXED BY messageBySender
            WHERE chat = ?1 AND sender = ?2 AND tag = 'Location' AND number > ?3 ORDER BY number LIMIT ?5
            """
        )
        let limit = max(1, limit)
        statement.bind(share.chat.rawValue, at: 1)
        statement.bind(share.user.rawValue, at: 2)
        statement.bind(share.after, at: 3)
        statement.bind(share.id.rawValue, at: 4)
        statement.bind(Int64(limit), at: 5)
        var through = share.after
        var seen = 0
        var numbers: [Int64] = []
        try statement.forEachRow { row in
            through = row.integer(0)
            seen += 1
            if row.integer(1) != 0 { numbers.append(through) }
        }
        try empty(numbers, of: share.chat, in: database)
        return (numbers.count, through, seen == limit)
    }

    /// Removes content and data, and what is derived from them.
    static func empty(_ numbers: [Int64], of chat: ChatID, in database: Database) throws {
        for number in numbers {
            let statement = try Statement(
                database,
                "UPDATE message SET \(emptied) WHERE chat = ? AND number = ?"
            )
            statement.bind(chat.rawValue, at: 1)
            statement.bind(number, at: 2)
            try statement.run()
        }
    }

    /// Removes content and data, and what is derived from them.
    static func recall(_ message: Message, in database: Database) throws {
        let statement = try Statement(
            database,
            "UPDATE message SET \(emptied), recalled = 1 WHERE chat = ? AND number = ?"
        )
        statement.bind(message.chat.rawValue, at: 1)
        statement.bind(message.number, at: 2)
        try statement.run()
    }

    /// Removes the content of up to `limit` expired messages, the first to expire first.
    static func expire(at now: Timestamp, limit: Int, in database: Database) throws -> Int {
        try database.execute(
            sql: """
                UPDATE message SET \(emptied) WHERE (chat, number) IN (
                    SELECT chat, number FROM message
                    WHERE expires IS NOT NULL AND (content <> x'' OR data IS NOT NULL) AND expires <= ?
                    ORDER BY expires, chat, number LIMIT ?
                )
                """,
            arguments: [now.milliseconds, max(0, limit)]
        )
        return database.changesCount
    }

    /// Reads ``columns``.
    static func message(_ row: Row, chat: ChatID) throws -> Message {
        guard let sender = UserID(row.integer(1)), let tag = MessageTag(row.string(2)) else {
            throw unreadable
        }
        var message = Message(
            chat: chat,
            number: row.integer(0),
            sender: sender,
            tag: tag,
            content: row.string(3),
            data: row.isNull(4) ? nil : MessageData(checked: row.bytes(4)),
            time: Timestamp(milliseconds: row.integer(5)),
            expires: row.optionalInteger(6).map(Timestamp.init(milliseconds:)),
            written: row.optionalInteger(8),
            isLate: !row.isNull(10),
            isRecalled: row.integer(7) != 0
        )
        message.share = row.optionalInteger(9).flatMap(ShareID.init)
        return message
    }
}
