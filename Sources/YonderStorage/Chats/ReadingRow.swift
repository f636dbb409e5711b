import GRDB
import YonderGeodesy
import YonderModel
import YonderSQLite

/// The table `reading`: how far each participant has read each chat.
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
        let statement = try RawStatement(
            database,
            "INSERT OR REPLACE INTO reading (chat, user, number, written) VALUES (?, ?, ?, ?)"
        )
        statement.bind(chat.rawValue, at: 1)
        statement.bind(user.rawValue, at: 2)
        statement.bind(position.number, at: 3)
        statement.bind(position.written, at: 4)
        try statement.run()
    }

    static func remove(_ user: UserID, from chat: ChatID, _ database: Database) throws {
        let statement = try RawStatement(database, "DELETE FROM reading WHERE chat = ? AND user = ?")
        statement.bind(chat.rawValue, at: 1)
        statement.bind(user.rawValue, at: 2)
        try statement.run()
    }

    /// The data that a list of chats shows beside a chat: its newest messages and the read positions.
    static func reading(of chat: Chat, for reader: UserID?, now: Timestamp, _ database: Database) throws
        -> ChatReading
    {
        let only = ChatReading.isMutual(chat) ? nil : reader
        return ChatReading(
            newest: try newest(in: chat.id, now: now, database),
            positions: try positions(in: chat.id, only: only, database),
            hidden: try hidden(in: chat.id, only: only, database)
        )
    }

    private static func newest(in chat: ChatID, now: Timestamp, _ database: Database) throws
        -> [MessagePreview]
    {
        let statement = try RawStatement(
            database,
            """
            SELECT \(MessageRow.columns) FROM message \(MessageRow.byWriting(in: database))
            WHERE chat = ?1 AND written IS NOT NULL ORDER BY number DESC LIMIT \(ChatReading.depth)
            """
        )
        statement.bind(chat.rawValue, at: 1)
        var newest: [MessagePreview] = []
        try statement.forEachRow { row in
            let message = try MessageRow.message(row, chat: chat)
            guard !message.isExpired(at: now), let preview = MessagePreview(message) else { return }
            newest.append(preview)
        }
        return newest
    }

    private static func positions(in chat: ChatID, only user: UserID?, _ database: Database) throws
        -> [UserID: ReadPosition]
    {
        let statement = try RawStatement(
            database,
            "SELECT user, number, written FROM reading WHERE chat = ?1 \(user == nil ? "" : "AND user = ?2")"
        )
        statement.bind(chat.rawValue, at: 1)
        if let user { statement.bind(user.rawValue, at: 2) }
        var positions: [UserID: ReadPosition] = [:]
        try statement.forEachRow { row in
            guard let user = UserID(row.integer(0)) else { return }
            positions[user] = ReadPosition(number: row.integer(1), written: row.integer(2))
        }
        return positions
    }

    private static func hidden(in chat: ChatID, only user: UserID?, _ database: Database) throws -> Set<
        UserID
    > {
        let statement = try RawStatement(
            database,
            """
            SELECT user FROM participant JOIN account ON account.id = user
            WHERE chat = ?1 AND NOT showsReads \(user == nil ? "" : "AND user = ?2")
            """
        )
        statement.bind(chat.rawValue, at: 1)
        if let user { statement.bind(user.rawValue, at: 2) }
        var hidden: Set<UserID> = []
        try statement.forEachRow { row in
            if let user = UserID(row.integer(0)) { hidden.insert(user) }
        }
        return hidden
    }

    private static func position(of user: UserID, in chat: ChatID, _ database: Database) throws
        -> ReadPosition
    {
        try positions(in: chat, only: user, database)[user] ?? ReadPosition()
    }

    private static func shows(_ user: UserID, in database: Database) throws -> Bool {
        let statement = try RawStatement(database, "SELECT showsReads FROM account WHERE id = ?")
        statement.bind(user.rawValue, at: 1)
        return try statement.first { $0.integer(0) != 0 } ?? true
    }

    /// The number of written messages up to a message number, including those removed from the chat's front.
    private static func written(upTo number: Int64, in chat: Chat, _ database: Database) throws -> Int64 {
        let index = MessageRow.byWriting(in: database)
        let last = try RawStatement(
            database,
            """
            SELECT written FROM message \(index) WHERE chat = ? AND written IS NOT NULL AND number <= ?
            ORDER BY number DESC LIMIT 1
            """
        )
        last.bind(chat.id.rawValue, at: 1)
        last.bind(number, at: 2)
        if let written = try last.first({ $0.integer(0) }) { return written }
        let first = try RawStatement(
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
