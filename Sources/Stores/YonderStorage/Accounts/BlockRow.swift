import GRDB
import YonderModel
import YonderRules
import YonderSQLite

/// The table `block`: in each row, `user` blocks `other`, with both names and hues as they were then.
enum BlockRow {
    /// - Throws: ``SharingError`` with code `unknownUser` or `tooMany`.
    static func insert(_ user: UserID, by blocker: UserID, into database: Database) throws {
        guard user != blocker else { throw SharingError.unknownUser }
        let own = try AccountRow.account(blocker, in: database).user
        let other = try AccountRow.account(user, in: database).user
        guard try blocks("user = ?1 AND other = ?2", blocker, user, in: database).isEmpty else { return }
        let reverse = try blocks("user = ?1 AND other = ?2", user, blocker, in: database).first
        guard try reverse != nil || haveMet(blocker, user, in: database) else {
            throw SharingError.unknownUser
        }
        let block = reverse?.reversed ?? KeptBlock(by: own, of: other)
        try database.execute(
            sql: """
                INSERT INTO block (user, other, ownName, ownHue, otherName, otherHue)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                blocker.rawValue, user.rawValue, block.blocker.name, block.blocker.hue, block.blocked.name,
                block.blocked.hue,
            ]
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

    /// Whether two users are contacts, or one is in a chat in which the other is or was.
    private static func haveMet(_ one: UserID, _ other: UserID, in database: Database) throws -> Bool {
        try !AccountRow.contacts(of: one, among: [other], in: database).isEmpty
            || ChatRow.meets(one, other, .ever, in: database)
            || ChatRow.meets(other, one, .ever, in: database)
    }

    private static func blocks(
        _ condition: String,
        _ one: UserID,
        _ other: UserID? = nil,
        in database: Database
    )
        throws -> [KeptBlock]
    {
        let statement = try RawStatement(
            database,
            "SELECT user, ownName, ownHue, other, otherName, otherHue FROM block WHERE \(condition)"
        )
        statement.bind(one.rawValue, at: 1)
        if let other { statement.bind(other.rawValue, at: 2) }
        var blocks: [KeptBlock] = []
        try statement.forEachRow { row in
            guard let own = UserID(row.integer(0)), let other = UserID(row.integer(3)) else { return }
            blocks.append(
                KeptBlock(
                    by: User(id: own, name: row.string(1), hue: row.optionalInteger(2).map(Int.init)),
                    of: User(id: other, name: row.string(4), hue: row.optionalInteger(5).map(Int.init))
                )
            )
        }
        return blocks
    }

    /// See ``AccountStore/partings(of:with:)``.
    static func partings(of subjects: Set<UserID>, with viewers: Set<UserID>, in database: Database) throws
        -> Partings
    {
        var partings = Partings()
        let (few, many) = subjects.count < viewers.count ? (subjects, viewers) : (viewers, subjects)
        for user in few {
            let found =
                try blocks("user = ?1", user, in: database) + blocks("other = ?1", user, in: database)
            for block in found {
                let other = block.blocker.id == user ? block.blocked.id : block.blocker.id
                guard many.contains(other), try !haveCommonGroup(user, other, in: database) else { continue }
                partings.insert(block, subjects: subjects, viewers: viewers)
            }
        }
        return partings
    }

    private static func haveCommonGroup(_ one: UserID, _ other: UserID, in database: Database) throws -> Bool
    {
        let statement = try RawStatement(
            database,
            """
            SELECT 1 FROM participant AS mine JOIN participant AS their ON their.chat = mine.chat
            JOIN chat ON chat.id = mine.chat
            WHERE mine.user = ?1 AND mine.isPresent AND their.user = ?2 AND their.isPresent AND NOT isOneToOne
            LIMIT 1
            """
        )
        statement.bind(one.rawValue, at: 1)
        statement.bind(other.rawValue, at: 2)
        return try statement.first { _ in true } ?? false
    }

    static func remove(_ user: UserID, by blocker: UserID, from database: Database) throws {
        try database.execute(
            sql: "DELETE FROM block WHERE user = ? AND other = ?",
            arguments: [blocker.rawValue, user.rawValue]
        )
    }

    /// The users that a user blocks, as the user is shown them, by name.
    static func blocked(by user: UserID, in database: Database) throws -> [User] {
        let users = try AccountRow.accounts(
            where: "id IN (SELECT other FROM block WHERE user = ?)",
            [user.rawValue],
            in: database
        ).map(\.user)
        let partings = try partings(of: Set(users.map(\.id)), with: [user], in: database)
        return users.map { partings.applied(to: $0, for: user) }.sorted(by: User.isListedBefore)
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
