import GRDB
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// The tables `account` and `contact`.
enum AccountRow {
    private static let written =
        "id, name, email, avatar, login, password, isOperator, isDisabled, created, lastSeen, showsReads, hue"

    /// With the version, which the database raises by itself.
    private static let columns = written + ", version"

    /// - Throws: ``SharingError`` with code `nameTaken`.
    static func insert(_ account: Account, into database: Database) throws {
        let user = account.user
        try database.execute(
            sql:
                "INSERT INTO account (\(written)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            arguments: [
                user.id.rawValue, user.name, user.email, user.avatar, account.login, account.passwordHash,
                account.isOperator, account.isDisabled, account.created.milliseconds,
                account.lastSeen?.milliseconds, account.showsReads, user.hue,
            ]
        )
        guard database.changesCount == 1 else { throw SharingError.nameTaken }
    }

    /// - Throws: ``SharingError`` with code `unknownUser`.
    static func account(_ user: UserID, in database: Database) throws -> Account {
        let found = try accounts(where: "id = ?", [user.rawValue], in: database).first
        guard let found else { throw SharingError.unknownUser }
        return found
    }

    static func account(login: String, in database: Database) throws -> Account? {
        try accounts(where: "login = ?", [login], in: database).first
    }

    static func accounts(after place: AccountPlace?, limit: Int, in database: Database) throws -> [Account] {
        try accounts(
            where: "(created, id) > (?1, ?2) ORDER BY created, id LIMIT ?3",
            [place?.created.milliseconds ?? .min, place?.user.rawValue ?? .min, max(0, limit)],
            in: database
        )
    }

    /// The users with these ids, in one statement.
    static func users(_ ids: Set<UserID>, in database: Database) throws -> [User] {
        try accounts(
            where: "id IN (SELECT value FROM json_each(?))",
            [IDList(ids.lazy.map(\.rawValue)).text],
            in: database
        ).map(\.user)
    }

    static func contacts(of user: UserID, in database: Database) throws -> [User] {
        try accounts(
            where: "id IN (SELECT other FROM contact WHERE user = ?)",
            [user.rawValue],
            in: database
        ).map(\.user).sorted(by: User.isListedBefore)
    }

    /// The contacts of a user among the given users.
    static func contacts(of user: UserID, among others: [UserID], in database: Database) throws -> Set<UserID>
    {
        let statement = try RawStatement(database, "SELECT 1 FROM contact WHERE user = ? AND other = ?")
        return try Set(others).filter { other in
            statement.bind(user.rawValue, at: 1)
            statement.bind(other.rawValue, at: 2)
            return try statement.first { _ in true } ?? false
        }
    }

    /// - Throws: ``SharingError`` with code `unknownUser`.
    static func connect(_ one: UserID, _ other: UserID, in database: Database) throws {
        guard try one != other && !BlockRow.areApart(one, other, in: database) else {
            throw SharingError.unknownUser
        }
        let users = try [account(one, in: database).user, account(other, in: database).user]
        for (user, contact) in [(one, other), (other, one)] {
            try database.execute(
                sql: "INSERT OR IGNORE INTO contact (user, other) VALUES (?, ?)",
                arguments: [user.rawValue, contact.rawValue]
            )
        }
        for user in users where user.hue == nil {
            var free = try freeHues(around: hues(ofContactsOf: one, other, in: database), in: database)
            try setHue(user.id, free.take(for: user.id), in: database)
        }
    }

    private static func hues(ofContactsOf one: UserID, _ other: UserID, in database: Database) throws -> [Int]
    {
        try Int.fetchAll(
            database,
            sql: """
                SELECT DISTINCT hue FROM account WHERE hue IS NOT NULL
                AND id IN (SELECT other FROM contact WHERE user IN (?, ?))
                """,
            arguments: [one.rawValue, other.rawValue]
        )
    }

    private static func freeHues(around near: [Int], in database: Database) throws -> FreeHues {
        let accounts = try Optional<Int>.fetchAll(
            database,
            sql: "SELECT hue FROM account LIMIT ?",
            arguments: [FreeHues.sample]
        )
        return FreeHues(of: accounts, around: near)
    }

    static func update(_ user: UserID, profile: Profile, in database: Database) throws -> User {
        try database.execute(
            sql: "UPDATE account SET name = ?, email = ?, avatar = ? WHERE id = ?",
            arguments: [profile.name, profile.email, profile.avatar, user.rawValue]
        )
        return try account(user, in: database).user
    }

    static func disconnect(_ one: UserID, _ other: UserID, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM contact WHERE user = ?1 AND other = ?2 OR user = ?2 AND other = ?1",
            arguments: [one.rawValue, other.rawValue]
        )
    }

    static func setHue(_ user: UserID, _ hue: Int, in database: Database) throws {
        try database.execute(
            sql: "UPDATE account SET hue = ? WHERE id = ?",
            arguments: [hue, user.rawValue]
        )
        guard database.changesCount == 1 else { throw SharingError.unknownUser }
    }

    /// Gives a hue to those of `users` who have none, apart from those of the other participants of a chat.
    static func giveHues(to users: [UserID], in chat: ChatID, _ database: Database) throws {
        // A user has a hue from the first contact on: a chat costs one look-up, not one of each participant.
        let isMissing = try users.contains { user in
            let statement = try RawStatement(
                database,
                "SELECT 1 FROM account WHERE id = ? AND hue IS NULL"
            )
            statement.bind(user.rawValue, at: 1)
            return try statement.first { _ in true } ?? false
        }
        if isMissing { try giveHues(in: chat, database) }
    }

    private static func giveHues(in chat: ChatID, _ database: Database) throws {
        let statement = try RawStatement(
            database,
            """
            SELECT participant.user, hue FROM participant JOIN account ON account.id = participant.user
            WHERE chat = ? AND isPresent ORDER BY place
            """
        )
        statement.bind(chat.rawValue, at: 1)
        var taken: [Int] = []
        var without: [UserID] = []
        try statement.forEachRow { row in
            if let hue = row.optionalInteger(1) {
                taken.append(Int(hue))
            } else if let user = UserID(row.integer(0)) {
                without.append(user)
            }
        }
        var free = try freeHues(around: taken, in: database)
        for user in without { try setHue(user, free.take(for: user), in: database) }
    }

    static func setShowsReads(_ user: UserID, _ showsReads: Bool, in database: Database) throws {
        try database.execute(
            sql: "UPDATE account SET showsReads = ? WHERE id = ?",
            arguments: [showsReads, user.rawValue]
        )
        guard database.changesCount == 1 else { throw SharingError.unknownUser }
    }

    static func setPassword(_ user: UserID, hash: String?, in database: Database) throws {
        try database.execute(
            sql: "UPDATE account SET password = ? WHERE id = ?",
            arguments: [hash, user.rawValue]
        )
        guard database.changesCount == 1 else { throw SharingError.unknownUser }
    }

    static func replacePassword(
        _ user: UserID,
        hash old: String,
        with new: String,
        in database: Database
    ) throws -> Bool {
        guard try account(user, in: database).passwordHash == old else { return false }
        try setPassword(user, hash: new, in: database)
        return true
    }

    static func accounts(
        where condition: String,
        _ arguments: StatementArguments,
        in database: Database
    )
        throws -> [Account]
    {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM account WHERE \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
            UserID(row[0] as Int64).map { id in
                var account = Account(
                    user: User(id: id, name: row[1], email: row[2], avatar: row[3], hue: row[11]),
                    login: row[4],
                    passwordHash: row[5],
                    isOperator: row[6],
                    isDisabled: row[7],
                    showsReads: row[10],
                    created: Timestamp(milliseconds: row[8]),
                    lastSeen: (row[9] as Int64?).map(Timestamp.init(milliseconds:))
                )
                account.version = row[12]
                return account
            }
        }
    }
}
