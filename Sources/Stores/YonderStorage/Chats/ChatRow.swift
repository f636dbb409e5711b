import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// The tables `chat`, `participant` and `span`.
///
/// A chat's last number isn't stored: it is that of its newest message, or one less than its first number. In
/// the same way, the count of written messages and the time of the last activity come from the newest
/// messages; the columns `written` and `active` hold both as of the last removal of messages from the front.
///
/// `ChatWriter` and `SQLiteTransaction` write on the writer, in their transaction; `SQLiteStore+Chats.swift` and
/// `MessageReader` read on a reader. A read of a chat that isn't there throws `unknownChat`, and a read for a user
/// that was never in the chat throws `notParticipant`; any other error fails the transaction. On a failing disk
/// `message` is a view, so queries have a form without an index.
///
/// Each change of what a commit is decided by must raise the version. The columns `written` and `active` must stay true
/// when messages are trimmed (`ChatRowTests`). The names of indexes hold the cost (`StatementCostTests`).
enum ChatRow {
    /// Reads a chat with all of its participants.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat`.
    static func chat(_ id: ChatID, in database: Database) throws -> Chat {
        try chat(id, in: database) { try participants(of: id, in: database) }
    }

    /// Reads a chat with only the reader as a participant, which is as fast in a large chat as in a small
    /// one.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat` or `notParticipant`.
    static func chat(_ id: ChatID, readBy user: UserID, in database: Database) throws -> (Chat, Participant) {
        let chat = try chat(id, in: database) { try participants(of: id, only: user, in: database) }
        return (chat, try ChatRules.present(chat.participants.first))
    }

    private static func chat(_ id: ChatID, in database: Database, participants: () throws -> [Participant])
        throws
        -> Chat
    {
        let isIndexed = !FrozenReader.owns(database)
        let statement = try Statement(database, isIndexed ? indexedQuery : viewQuery)
        statement.bind(id.rawValue, at: 1)
        let chat = try statement.first { Self.chat(id, $0) }
        guard var chat else { throw SharingError.unknownChat }
        chat.participants = try participants()
        return chat
    }

    /// Reads what the columns of ``query(isIndexed:)`` have.
    static func chat(_ id: ChatID, _ row: Row) -> Chat {
        var chat = Chat(
            id: id,
            isOneToOne: row.integer(0) != 0,
            subject: row.string(1),
            isSubjectLocked: row.integer(4) != 0,
            participants: [],
            first: row.integer(2),
            last: row.optionalInteger(6) ?? row.integer(2) - 1,
            written: row.integer(7),
            active: Timestamp(milliseconds: row.integer(8)),
            created: Timestamp(milliseconds: row.integer(3))
        )
        chat.setPositions(word: row.string(5))
        return chat
    }

    /// SQL for one chat, over the table of messages and its indexes.
    static let indexedQuery = query(isIndexed: true)

    /// SQL for one chat, over a view that has no index.
    private static let viewQuery = query(isIndexed: false)

    private static func query(isIndexed: Bool) -> String {
        """
        SELECT one_to_one, subject, first, created, subject_locked, positions,
            \(lastNumber(of: "?1")), \(written(of: "?1", isIndexed: isIndexed)), \(active(of: "?1", isIndexed: isIndexed))
        FROM chat WHERE id = ?1
        """
    }

    /// SQL for the number of a chat's newest message.
    static func lastNumber(of chat: String) -> String {
        "(SELECT number FROM message WHERE chat = \(chat) ORDER BY number DESC LIMIT 1)"
    }

    /// SQL for the count of a chat's written messages.
    static func written(of chat: String, isIndexed: Bool) -> String {
        "ifnull((\(MessageRow.newestWritten("written", of: chat, isIndexed: isIndexed))), written)"
    }

    /// SQL for the time of a chat's last activity: that of the newest message which is written, or of a tag that counts
    /// as one.
    ///
    /// Without the name of an index, SQLite scans the chat by number for a tag that no message has.
    static func active(of chat: String, isIndexed: Bool) -> String {
        let written = MessageRow.newestWritten("time", of: chat, isIndexed: isIndexed)
        let activities = ["Share", "Join", "Leave", "Subject"].map { tag in
            """
            SELECT time FROM message \(isIndexed ? "INDEXED BY messageByTag" : "")
            WHERE chat = \(chat) AND tag = '\(tag)' ORDER BY number DESC LIMIT 1
            """
        }
        return "max(active, \(([written] + activities).map { "ifnull((\($0)), 0)" }.joined(separator: ", ")))"
    }

    /// By how many milliseconds the time of a message is below that of an earlier one, at most: 0 but for logs of
    /// earlier versions.
    static func stepBack(of chat: ChatID, in database: Database) throws -> Int64 {
        let statement = try Statement(database, "SELECT step_back FROM chat WHERE id = ?")
        statement.bind(chat.rawValue, at: 1)
        return try statement.first { $0.integer(0) } ?? 0
    }

    private static func participants(of chat: ChatID, only user: UserID? = nil, in database: Database) throws
        -> [Participant]
    {
        let statement = try Statement(
            database,
            """
            SELECT person, role, color, span.first, span.last, stays_out, left_subject FROM participant JOIN span USING (chat, person)
            WHERE chat = ? \(user == nil ? "" : "AND person = ?") ORDER BY place, span.first
            """
        )
        statement.bind(chat.rawValue, at: 1)
        if let user { statement.bind(user.rawValue, at: 2) }
        var participants: [Participant] = []
        try statement.forEachRow { add($0, to: &participants) }
        return participants
    }

    /// Adds the span of a row to the last participant, or, if the row names another user, to a new participant.
    static func add(_ row: Row, to participants: inout [Participant]) {
        let span = ParticipationSpan(first: row.integer(3), last: row.optionalInteger(4))
        if let latest = participants.last, latest.user.rawValue == row.integer(0) {
            participants[participants.count - 1].spans.append(span)
        } else if let user = UserID(row.integer(0)) {
            let staysOut = row.optionalInteger(5).map { since in
                StayingOut(since: Timestamp(milliseconds: since), subject: row.string(6))
            }
            var participant = Participant(
                user: user,
                role: .member,
                color: Int(row.integer(2)),
                spans: [span],
                staysOut: staysOut
            )
            participant.setRole(word: row.string(1))
            participants.append(participant)
        }
    }

    /// The ids of a user's chats, in no order.
    static func ids(of user: UserID, in database: Database) throws -> [ChatID] {
        let statement = try Statement(
            database,
            "SELECT chat FROM participant WHERE person = ? AND is_present"
        )
        statement.bind(user.rawValue, at: 1)
        var ids: [ChatID] = []
        try statement.forEachRow { row in
            if let id = ChatID(row.integer(0)) { ids.append(id) }
        }
        return ids
    }

    static func insert(_ chat: Chat, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO chat (id, one_to_one, subject, positions, first, written, active, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                chat.id.rawValue, chat.isOneToOne, chat.subject, chat.positionsWord, chat.first,
                chat.written,
                chat.active.milliseconds, chat.created.milliseconds,
            ]
        )
        for (place, participant) in chat.participants.enumerated() {
            try save(participant, place: place, in: chat.id, database)
        }
    }

    static func save(_ participant: Participant, place: Int, in chat: ChatID, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO participant (
                    chat, person, place, role, color, is_present, stays_out, left_subject
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                chat.rawValue, participant.user.rawValue, place, participant.roleWord, participant.color,
                participant.isPresent, participant.staysOut?.since.milliseconds,
                participant.staysOut?.subject,
            ]
        )
        // Earlier spans are unchanged.
        guard let span = participant.spans.last else { return }
        try database.execute(
            sql: "INSERT OR REPLACE INTO span (chat, person, first, last) VALUES (?, ?, ?, ?)",
            arguments: [chat.rawValue, participant.user.rawValue, span.first, span.last]
        )
    }

    /// Raises a chat's version, after something other than its messages changed.
    ///
    /// - Returns: The new version.
    static func raiseVersion(of chat: ChatID, in database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database,
            sql: "UPDATE chat SET version = version + 1 WHERE id = ? RETURNING version",
            arguments: [chat.rawValue]
        ) ?? 0
    }

    static func setSubject(_ subject: String, of chat: ChatID, in database: Database) throws {
        try database.execute(
            sql: "UPDATE chat SET subject = ? WHERE id = ?",
            arguments: [subject, chat.rawValue]
        )
    }

    static func setPositions(_ word: String, of chat: ChatID, in database: Database) throws {
        try database.execute(
            sql: "UPDATE chat SET positions = ? WHERE id = ?",
            arguments: [word, chat.rawValue]
        )
    }

    /// The chats that erase positions, each with the number up to which it has, and its period.
    static func erasing(in database: Database) throws -> [PositionErasure] {
        let statement = try Statement(
            database,
            "SELECT id, erased, positions FROM chat WHERE positions <> 'forever'"
        )
        var erasures: [PositionErasure] = []
        try statement.forEachRow { row in
            let keeping = StoredWords.positions.read(row.string(2))?.value
            guard let chat = ChatID(row.integer(0)), let period = keeping?.period else { return }
            erasures.append(PositionErasure(chat: chat, erased: row.integer(1), period: period))
        }
        return erasures
    }

    static func setErased(_ number: Int64, of chat: ChatID, in database: Database) throws {
        try database.execute(
            sql: "UPDATE chat SET erased = ? WHERE id = ?",
            arguments: [number, chat.rawValue]
        )
    }

    static func setSubjectLocked(_ isLocked: Bool, of chat: ChatID, in database: Database) throws {
        try database.execute(
            sql: "UPDATE chat SET subject_locked = ? WHERE id = ?",
            arguments: [isLocked, chat.rawValue]
        )
    }

    /// Removes up to `limit` of the oldest messages, all below `number`.
    ///
    /// - Returns: The first number that is kept.
    static func trim(_ chat: Chat, below number: Int64, limit: Int64, in database: Database) throws -> Int64 {
        let first = max(chat.first, min(number, chat.last + 1, chat.first + limit))
        try database.execute(
            sql: "DELETE FROM message WHERE chat = ? AND number < ?",
            arguments: [chat.id.rawValue, first]
        )
        try database.execute(
            sql: "UPDATE chat SET first = ?, written = ?, active = ? WHERE id = ?",
            arguments: [first, chat.written, chat.active.milliseconds, chat.id.rawValue]
        )
        return first
    }
}
