import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

// The chats of a user: the same number of statements for any number of them.
// `SQLiteStore+Chats.swift` calls each function on a reader, after the chats' recent messages were moved. Errors are the
// database's. The names of the indexes hold the cost (`ChatRowTests`, `StatementCostTests`). The order of a page, by
// newest activity and then by id, is that of `ChatPlace`, which clients send back as a cursor: it must stay as
// PostgreSQL's store has it.
extension ChatRow {
    /// The chats of a user behind a place, the one with the newest activity first.
    static func chats(of user: UserID, after place: ChatPlace?, limit: Int, in database: Database) throws
        -> [Chat]
    {
        let statement = try Statement(database, pageQuery(isIndexed: !FrozenReader.owns(database)))
        statement.bind(user.rawValue, at: 1)
        statement.bind(place?.active.milliseconds ?? .max, at: 2)
        statement.bind(place?.chat.rawValue ?? .max, at: 3)
        statement.bind(Int64(max(0, limit)), at: 4)
        var chats: [Chat] = []
        try statement.forEachRow { row in
            if let id = ChatID(row.integer(9)) { chats.append(chat(id, row)) }
        }
        try addParticipants(to: &chats, in: database)
        return chats
    }

    /// SQL for a page of a user's chats: the time of the last activity is read of all, once, everything else of the page's.
    static func pageQuery(isIndexed: Bool) -> String {
        """
        WITH listed AS MATERIALIZED (
            SELECT chat.id AS id, \(active(of: "chat.id", isIndexed: isIndexed)) AS newest
            FROM participant CROSS JOIN chat ON chat.id = participant.chat
            WHERE participant.person = ?1 AND participant.is_present
        ), page AS MATERIALIZED (
            SELECT id, newest FROM listed
            WHERE newest < ?2 OR (newest = ?2 AND id > ?3) ORDER BY newest DESC, id LIMIT ?4
        )
        SELECT one_to_one, subject, first, created, subject_locked, positions,
            \(lastNumber(of: "chat.id")), \(written(of: "chat.id", isIndexed: isIndexed)), newest, chat.id
        FROM page CROSS JOIN chat ON chat.id = page.id ORDER BY newest DESC, chat.id
        """
    }

    private static func addParticipants(to chats: inout [Chat], in database: Database) throws {
        let places = Dictionary(chats.indices.map { (chats[$0].id.rawValue, $0) }) { first, _ in first }
        let statement = try Statement(
            database,
            """
            SELECT participant.person, role, color, span.first, span.last, stays_out, left_subject, participant.chat
            FROM json_each(?1) AS list
            CROSS JOIN participant ON participant.chat = list.value
            CROSS JOIN span ON span.chat = participant.chat AND span.person = participant.person
            ORDER BY list.key, place, span.first
            """
        )
        statement.bind(text: IDList(chats).text, at: 1)
        try statement.forEachRow { row in
            if let place = places[row.integer(7)] { add(row, to: &chats[place].participants) }
        }
    }

    /// Whether a reader is in a chat now in which the meeting with another user holds.
    static func meets(_ reader: UserID, _ other: UserID, _ meeting: Meeting, in database: Database) throws
        -> Bool
    {
        let statement = try Statement(
            database,
            """
            SELECT 1 FROM participant AS own INDEXED BY participantByUser
            CROSS JOIN participant AS others ON others.chat = own.chat AND others.person = ?2
            CROSS JOIN chat ON chat.id = own.chat
            WHERE own.person = ?1 AND own.is_present AND (?3 = 0 OR others.is_present) AND (?3 < 2 OR NOT chat.one_to_one)
            LIMIT 1
            """
        )
        statement.bind(reader.rawValue, at: 1)
        statement.bind(other.rawValue, at: 2)
        statement.bind(meeting.rawValue, at: 3)
        return try statement.first { _ in true } ?? false
    }

    /// The groups that an owner owns and in which a user is, by id.
    static func groups(of user: UserID, ownedBy owner: UserID, limit: Int, in database: Database) throws
        -> [ChatID]
    {
        let statement = try Statement(
            database,
            """
            SELECT own.chat FROM participant AS own INDEXED BY participantByUser
            CROSS JOIN participant AS theirs ON theirs.chat = own.chat AND theirs.person = ?2
                AND theirs.is_present AND theirs.role = 'owner'
            CROSS JOIN chat ON chat.id = own.chat AND NOT one_to_one
            WHERE own.person = ?1 AND own.is_present ORDER BY own.chat LIMIT ?3
            """
        )
        statement.bind(user.rawValue, at: 1)
        statement.bind(owner.rawValue, at: 2)
        statement.bind(Int64(max(0, limit)), at: 3)
        var groups: [ChatID] = []
        try statement.forEachRow { row in
            if let chat = ChatID(row.integer(0)) { groups.append(chat) }
        }
        return groups
    }

    /// The groups that a user stays out of, the one left last first.
    static func left(by user: UserID, limit: Int, in database: Database) throws -> [LeftGroup] {
        let statement = try Statement(
            database,
            """
            SELECT chat, left_subject FROM participant INDEXED BY participantByStay
            WHERE person = ?1 AND stays_out NOT NULL ORDER BY stays_out DESC, chat DESC LIMIT ?2
            """
        )
        statement.bind(user.rawValue, at: 1)
        statement.bind(Int64(max(0, limit)), at: 2)
        var groups: [LeftGroup] = []
        try statement.forEachRow { row in
            if let chat = ChatID(row.integer(0)) {
                groups.append(LeftGroup(chat: chat, subject: row.string(1)))
            }
        }
        return groups
    }

    /// The last number of each chat of a user.
    static func lastNumbers(of user: UserID, in database: Database) throws -> [ChatID: Int64] {
        let statement = try Statement(
            database,
            """
            SELECT chat.id, ifnull(\(lastNumber(of: "chat.id")), chat.first - 1)
            FROM participant CROSS JOIN chat ON chat.id = participant.chat
            WHERE participant.person = ?1 AND participant.is_present
            """
        )
        statement.bind(user.rawValue, at: 1)
        var numbers: [ChatID: Int64] = [:]
        try statement.forEachRow { row in
            if let id = ChatID(row.integer(0)) { numbers[id] = row.integer(1) }
        }
        return numbers
    }
}
