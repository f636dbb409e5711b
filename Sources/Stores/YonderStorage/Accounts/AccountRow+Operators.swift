import GRDB
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// Changes to accounts by operators: the tables `account` and `leaving`.
extension AccountRow {
    /// - Throws: ``SharingError`` with code `unknownUser`, `nameTaken` or `lastOperator`.
    static func change(_ user: UserID, _ change: AccountChange, in database: Database) throws -> Account {
        let old = try account(user, in: database)
        let new = change.applied(to: old)
        if let login = new.login, let holder = try account(login: login, in: database), holder.user.id != user
        {
            throw SharingError.nameTaken
        }
        if !new.isOperator || new.isDisabled { try checkOperators(but: old, in: database) }
        try database.execute(
            sql:
                "UPDATE account SET name = ?, email = ?, login = ?, isOperator = ?, isDisabled = ? WHERE id = ?",
            arguments: [
                new.user.name, new.user.email, new.login, new.isOperator, new.isDisabled, user.rawValue,
            ]
        )
        if new.isDisabled {
            let end = CredentialEnd([.session, .link, .device])
            _ = try CredentialRow.removeAll(of: user, end, in: database)
        }
        return try account(user, in: database)
    }

    /// - Throws: ``SharingError`` with code `unknownUser` or `lastOperator`.
    static func remove(_ user: UserID, in database: Database) throws {
        let isLeaving = try leaving(in: database).contains(user)
        guard let account = try accounts(where: "id = ?", [user.rawValue], in: database).first else {
            if isLeaving { return }
            throw SharingError.unknownUser
        }
        try checkOperators(but: account, in: database)
        let statements = [
            "DELETE FROM account WHERE id = ?1", "DELETE FROM credential WHERE user = ?1",
            "DELETE FROM invitation WHERE sender = ?1",
            // Contacts are in the table both ways, with an index by the first alone.
            "DELETE FROM contact WHERE (user, other) IN (SELECT other, user FROM contact WHERE user = ?1)",
            "DELETE FROM contact WHERE user = ?1",
            "DELETE FROM knownNetwork WHERE user = ?1", "DELETE FROM accountEvent WHERE user = ?1",
            "DELETE FROM block WHERE user = ?1 OR other = ?1",
            "INSERT OR IGNORE INTO leaving (user) VALUES (?1)",
        ]
        for statement in statements { try database.execute(sql: statement, arguments: [user.rawValue]) }
    }

    static func leaving(in database: Database) throws -> [UserID] {
        try Int64.fetchAll(database, sql: "SELECT user FROM leaving ORDER BY user").compactMap { UserID($0) }
    }

    static func left(_ user: UserID, in database: Database) throws {
        try database.execute(sql: "DELETE FROM leaving WHERE user = ?", arguments: [user.rawValue])
    }

    /// Throws unless there is another operator who isn't disabled.
    private static func checkOperators(but account: Account, in database: Database) throws {
        guard account.isOperator, !account.isDisabled else { return }
        let others = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM account WHERE isOperator AND NOT isDisabled AND id <> ?",
            arguments: [account.user.id.rawValue]
        )
        guard others ?? 0 > 0 else { throw SharingError.lastOperator }
    }
}
