import YonderGeodesy
import YonderModel
import YonderSQLite

/// The table `reading`: how far each participant has read each chat.
///
/// `ChatWriter+Reading.swift` stores a mark on the writer, after the chat's recent messages were moved to `message`;
/// `SQLiteStore+Chats.swift` reads the readings of a list of chats on a reader. An error fails the transaction.
///
/// A read position never goes back, and never beyond the chat's last number: this must stay (decision 20,
/// `StoreRule+Reads.swift`). The number of statements for a list must not grow with its chats; the indexes that the
/// queries name hold that (`StatementCostTests`, `ChatRowTests`).
enum ReadingRow {
    /// Stores how far a participant has read.
    ///
    /// The chat's recent messages must be in the table `message` already.
    static func read(_ mark: ReadMark, in chat: Chat, _ database: Database) throws -> ReadMark.Outcome {
        let old = try position(of: mark.reader, in: chat.id, database)
        let isShown = try shows(mark.reader, in: database)
        let number = min(mark.number, chat.last)
        guard number > old.number else {
            return ReadMark.Outcome(position: old, hasMoved: false, isShown: isShown)
        }
        let new = ReadPosition(number: number, written: try written(upTo: number, in: chat, database))
        try set(new, of: mark.reader, in: chat.id, database)
        return ReadMark.Outcome(position: new, hasMoved: true, isShown: isShown)
    }

    static func set(_ position: ReadPosition, of user: UserID, in chat: ChatID, _ database: Database) throws {
        let statement = try Statement(
            database,
            "INSERT OR REPLACE INTO reading (chat, person, number, written) VALUES (?, ?, ?, ?)"
        )
        statement.bind(chat.rawValue, at: 1)
        statement.bind(user.rawValue, at: 2)
        statement.bind(position.number, at: 3)
        statement.bind(position.written, at: 4)
        try statement.run()
    }

    static func remove(_ user: UserID, from chat: ChatID, _ database: Database) throws {
        let statement = try Statement(database, "DELETE FROM reading WHERE chat = ? AND person = ?")
        statement.bind(chat.rawValue, at: 1)
        statement.bind(user.rawValue, at: 2)
        try statement.run()
    }

    /// The data that a list of chats shows beside each chat: its newest messages and the read positions.
    ///
    /// Takes the same number of statements for any number of chats.
    static func readings(of chats: [Chat], for reader: UserID?, now: Timestamp, _ database: Database) throws
        -> [ChatID: ChatReading]
    {
        var readings = Dictionary(chats.map { ($0.id, ChatReading()) }) { first, _ in first }
        try addNewest(of: chats, now: now, to: &readings, database)
        let isWhole = { (chat: Chat) in reader == nil || ChatReading.isMutual(chat) }
        try addPositions(of: chats.filter(isWhole), only: nil, to: &readings, database)
        try addHidden(of: chats.filter(isWhole), only: nil, to: &readings, database)
        guard let reader else { return readings }
        let large = chats.filter { !isWhole($0) }
        try addPositions(of: large, only: reader, to: &readings, database)
        try addHidden(of: large, only: reader, to: &readings, database)
        return readings
    }

    private static func addNewest(
        of chats: [Chat],
        now: Timestamp,
        to readings: inout [ChatID: ChatReading],
        _ database: Database
    ) throws {
        let statement = try Statement(
            database,
            newestQuery(isIndexed: !FrozenReader.owns(database))
        )
        statement.bind(text: IDList(chats).text, at: 1)
        try statement.forEachRow { row in
            guard let chat = ChatID(row.integer(MessageRow.count)) else { return }
            let message = try MessageRow.message(row, chat: chat)
            guard !message.isExpired(at: now), let preview = MessagePreview(message) else { return }
            readings[chat]?.newest.append(preview)
        }
    }

    /// SQL for the newest written messages of each chat of a list.
    static func newestQuery(isIndexed: Bool) -> String {
        let index = isIndexed ? MessageRow.writingIndex : ""
        return """
            SELECT \(MessageRow.columns), chat FROM json_each(?1) AS list
            CROSS JOIN message \(index) ON message.chat = list.value AND written IS NOT NULL AND number >= ifnull(
                (
                    SELECT number FROM message \(index) WHERE chat = list.value AND written IS NOT NULL
                    ORDER BY number DESC LIMIT 1 OFFSET \(ChatReading.depth - 1)
                ),
                0
            )
            ORDER BY list.key, number DESC
            """
    }

    private static func addPositions(
        of chats: [Chat],
        only user: UserID?,
        to readings: inout [ChatID: ChatReading],
        _ database: Database
    ) throws {
        let statement = try Statement(
            database,
            """
            SELECT person, number, written, chat FROM json_each(?1) AS list
            CROSS JOIN reading ON reading.chat = list.value \(user == nil ? "" : "AND reading.person = ?2")
            """
        )
        statement.bind(text: IDList(chats).text, at: 1)
        if let user { statement.bind(user.rawValue, at: 2) }
        try statement.forEachRow { row in
            guard let user = UserID(row.integer(0)), let chat = ChatID(row.integer(3)) else { return }
            readings[chat]?.positions[user] = ReadPosition(number: row.integer(1), written: row.integer(2))
        }
    }

    private static func addHidden(
        of chats: [Chat],
        only user: UserID?,
        to readings: inout [ChatID: ChatReading],
        _ database: Database
    ) throws {
        let statement = try Statement(
            database,
            """
            SELECT person, chat FROM json_each(?1) AS list
            CROSS JOIN participant ON participant.chat = list.value \(user == nil ? "" : "AND participant.person = ?2")
            CROSS JOIN account ON account.id = participant.person AND NOT shows_reads
            """
        )
        statement.bind(text: IDList(chats).text, at: 1)
        if let user { statement.bind(user.rawValue, at: 2) }
        try statement.forEachRow { row in
            guard let user = UserID(row.integer(0)), let chat = ChatID(row.integer(1)) else { return }
            readings[chat]?.hidden.insert(user)
        }
    }

    private static func position(of user: UserID, in chat: ChatID, _ database: Database) throws
        -> ReadPosition
    {
        let statement = try Statement(
            database,
            "SELECT number, written FROM reading WHERE chat = ? AND person = ?"
        )
        statement.bind(chat.rawValue, at: 1)
        statement.bind(user.rawValue, at: 2)
        return try statement.first { ReadPosition(number: $0.integer(0), written: $0.integer(1)) }
            ?? ReadPosition()
    }

    private static func shows(_ user: UserID, in database: Database) throws -> Bool {
        let statement = try Statement(database, "SELECT shows_reads FROM account WHERE id = ?")
        statement.bind(user.rawValue, at: 1)
        return try statement.first { $0.integer(0) != 0 } ?? true
    }

    /// The number of written messages up to a message number, including those removed from the chat's front.
    private static func written(upTo number: Int64, in chat: Chat, _ database: Database) throws -> Int64 {
        let index = MessageRow.byWriting(in: database)
        let last = try Statement(
            database,
            """
            SELECT written FROM message \(index) WHERE chat = ? AND written IS NOT NULL AND number <= ?
            ORDER BY number DESC LIMIT 1
            """
        )
        last.bind(chat.id.rawValue, at: 1)
        last.bind(number, at: 2)
        if let written = try last.first({ $0.integer(0) }) { return written }
        let first = try Statement(
            database,
            """
            SELECT written FROM message \(index) WHERE chat = ? AND written IS NOT NULL
            ORDER BY number LIMIT 1
            """
        )
        first.bind(chat.id.rawValue, at: 1)
        return try first.first { $0.integer(0) - 1 } ?? chat.written
    }
}
