import GRDB
import YonderModel
import YonderSQLite

/// The table `block`: in each row, `user` blocks `other`.
enum BlockRow {
    /// - Throws: ``SharingError`` with code `unknownUser` or `tooMany`.
    static func insert(_ user: UserID, by blocker: UserID, into database: Database) throws {
        guard user != blocker else { throw SharingError.unknownUser }
        _ = try (AccountRow.account(user, in: database), AccountRow.account(blocker, in: database))
        try database.execute(
            sql: "INSERT OR IGNORE INTO block (user, other) VALUES (?, ?)",
            arguments: [blocker.rawValue, user.rawValue]
        )
        let count = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM block WHERE user = ?",
            arguments: [blocker.rawValue]
        )
        guard count ?? 0 <= Block.limit else {
            try remove(user, by: blocker, from: database)
            throw SharingError.tooManyBlocks
        }
        try AccountRow.disconnect(user, blocker, in: database)
    }

    static func remove(_ user: UserID, by blocker: UserID, from database: Database) throws {
        try database.execute(
            sql: "DELETE FROM block WHERE user = ? AND other = ?",
            arguments: [blocker.rawValue, user.rawValue]
        )
    }

    /// The users that a user blocks, by name.
    static func blocked(by user: UserID, in database: Database) throws -> [User] {
        try AccountRow.accounts(
            where: "id IN (SELECT other FROM block WHERE user = ?)",
            [user.rawValue],
            in: database
        ).map(\.user).sorted(by: User.isListedBefore)
    }

    /// Whether one of two users blocks the other.
    static func areApart(_ one: UserID, _ other: UserID, in database: Database) throws -> Bool {
        let statement = try RawStatement(
            database,
            "SELECT 1 FROM block WHERE user = ?1 AND other = ?2 OR user = ?2 AND other = ?1"
        )
        statement.bind(one.rawValue, at: 1)
        statement.bind(other.rawValue, at: 2)
        return try statement.first { _ in true } ?? false
    }

    /// The one-to-one chats in which a participant blocks the other, each with the participants who block.
    static func closedChats(in database: Database) throws -> [ChatID: Set<UserID>] {
        let statement = try RawStatement(
            database,
            """
            SELECT pair.chat, block.user FROM block
            JOIN pair ON pair.one = min(block.user, block.other) AND pair.other = max(block.user, block.other)
            """
        )
        var closed: [ChatID: Set<UserID>] = [:]
        try statement.forEachRow { row in
            guard let chat = ChatID(row.integer(0)), let blocker = UserID(row.integer(1)) else { return }
            closed[chat, default: []].insert(blocker)
        }
        return closed
    }
}
