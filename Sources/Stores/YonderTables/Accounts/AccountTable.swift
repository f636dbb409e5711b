import YonderGeodesy
package import YonderModel
package import YonderRules

/// The statements and rows of the table `account`: one row here, hues in `AccountTable+Hues.swift`, what operators do in
/// `AccountTable+Operators.swift`.
///
/// `TableStore+Accounts.swift`, `TableStore+SignIns.swift` and the other tables of accounts call it. A change runs in the
/// caller's transaction, which holds the account's lock (``locked(_:_:)``) before it decides by what is stored; a query may
/// run anywhere. A refusal is a ``SharingError``, anything else is the database's; both roll the transaction back. A row
/// whose id isn't valid is left out.
///
/// The locks' order must stay, accounts by their ids before all that belongs to them, or two transactions wait for each
/// other in a circle. The version is raised by triggers of the schema, in both databases. A further column needs a step in
/// both schemas, and a place in `written`, in ``insert(_:_:)`` and in `account(_:)`, which counts from 0 (decision 41; the
/// suite in `TestSupport/Stores`).
package enum AccountTable {
    private static let written =
        "id, name, email, avatar, login, password, is_operator, is_disabled, created, last_seen, shows_reads, hue"

    /// With the version, which the database raises by itself.
    private static let columns = written + ", version"

    /// Adds an account.
    ///
    /// - Throws: ``SharingError`` with code `nameTaken`.
    package static func insert(_ account: Account, _ transaction: any TableTransaction) throws {
        let user = account.user
        let parameters: [TableValue] = [
            .int(user.id.rawValue), .text(user.name), .optional(user.email), .optional(user.avatar),
            .optional(account.login), .optional(account.passwordHash), .bool(account.isOperator),
            .bool(account.isDisabled), .int(account.created.milliseconds),
            .optional(account.lastSeen?.milliseconds), .bool(account.showsReads), .optional(user.hue),
        ]
        guard try transaction.execute(insertion, parameters) == 1 else { throw SharingError.nameTaken }
    }

    private static let insertion: TableStatement = """
        INSERT INTO account (\(written)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT DO NOTHING
        """

    /// The account of a user, if there is one.
    static func account(_ user: UserID) -> TableQuery<Account> {
        TableQuery(byID, [.int(user.rawValue)]) { account($0) }
    }

    /// The account with a login name, if there is one; the name has no zero byte.
    static func account(login: String) -> TableQuery<Account> {
        TableQuery(byLogin, [.text(login)]) { account($0) }
    }

    /// The accounts behind a place, oldest first, at most `limit`.
    static func accounts(after place: AccountPlace?, limit: Int) -> TableQuery<Account> {
        let parameters: [TableValue] = [
            .int(place?.created.milliseconds ?? .min), .int(place?.user.rawValue ?? .min),
            .int(Int64(max(0, limit))),
        ]
        return TableQuery(page, parameters) { account($0) }
    }

    /// The users with these ids.
    package static func users(_ ids: Set<UserID>) -> TableQuery<User> {
        TableQuery(among, [.ints(ids.map(\.rawValue))]) { account($0)?.user }
    }

    /// A user's contacts, in no order.
    static func contacts(of user: UserID) -> TableQuery<User> {
        TableQuery(contacts, [.int(user.rawValue)]) { account($0)?.user }
    }

    /// The users whom a user blocks, in no order and as they are at present.
    static func blocked(by user: UserID) -> TableQuery<User> {
        TableQuery(blocked, [.int(user.rawValue)]) { account($0)?.user }
    }

    private static let byID: TableStatement = "SELECT \(columns) FROM account WHERE id = $1"

    private static let byLogin: TableStatement = "SELECT \(columns) FROM account WHERE login = $1"

    private static let page: TableStatement = """
        SELECT \(columns) FROM account
        WHERE (created, id) > ($1::bigint, $2::bigint) ORDER BY created, id LIMIT $3
        """

    /// The accounts of these users.
    package static func accounts(_ users: Set<UserID>) -> TableQuery<Account> {
        TableQuery(among, [.ints(users.map(\.rawValue))]) { account($0) }
    }

    private static let among: TableStatement = "SELECT \(columns) FROM account WHERE id = ANY($1)"

    private static let contacts: TableStatement =
        "SELECT \(columns) FROM account WHERE id IN (SELECT other FROM contact WHERE person = $1)"

    private static let blocked: TableStatement =
        "SELECT \(columns) FROM account WHERE id IN (SELECT other FROM block WHERE person = $1)"

    /// The account with the account's lock, until the transaction ends: counted limits are checked under it.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser`.
    @discardableResult
    static func locked(_ user: UserID, _ transaction: any TableTransaction) throws -> Account {
        guard let account = try locked([user], transaction)[user] else { throw SharingError.unknownUser }
        return account
    }

    /// The existing accounts among some, locked by their ids' order, so that two transactions never wait in a circle.
    static func locked(_ users: [UserID], _ transaction: any TableTransaction) throws -> [UserID: Account] {
        let found = try transaction.rows(lock, [.ints(users.map(\.rawValue))]) { account($0) }
        return Dictionary(found.map { ($0.user.id, $0) }) { first, _ in first }
    }

    private static let lock: TableStatement =
        "SELECT \(columns) FROM account WHERE id = ANY($1) ORDER BY id FOR UPDATE"

    /// The existing accounts among some, whose rights can't end before the transaction does.
    static func kept(_ users: [UserID], _ transaction: any TableTransaction) throws -> [UserID: Account] {
        let found = try transaction.rows(keep, [.ints(users.map(\.rawValue))]) { account($0) }
        return Dictionary(found.map { ($0.user.id, $0) }) { first, _ in first }
    }

    private static let keep: TableStatement =
        "SELECT \(columns) FROM account WHERE id = ANY($1) ORDER BY id FOR KEY SHARE"

    /// Locks and reads some accounts and the accounts of all operators that aren't disabled.
    ///
    /// The last operator's account may not be removed or disabled, so no other transaction may change these meanwhile.
    static func lockedWithOperators(_ users: [UserID], _ transaction: any TableTransaction) throws
        -> [UserID: Account]
    {
        let found = try transaction.rows(lockWithOperators, [.ints(users.map(\.rawValue))]) { account($0) }
        return Dictionary(found.map { ($0.user.id, $0) }) { first, _ in first }
    }

    private static let lockWithOperators = TableStatement(
        """
        SELECT \(columns) FROM account WHERE id = ANY($1) OR is_operator AND NOT is_disabled ORDER BY id FOR UPDATE
        """,
        sqlite: """
            SELECT \(columns) FROM account
            WHERE id IN (
                SELECT value FROM json_each(?1) UNION SELECT id FROM account WHERE is_operator AND NOT is_disabled
            )
            """
    )

    private static func account(_ row: any TableRow) -> Account? {
        UserID(row.int(0)).map { id in
            var account = Account(
                user: User(
                    id: id,
                    name: row.text(1),
                    email: row.optionalText(2),
                    avatar: row.optionalText(3),
                    hue: row.optionalInt(11).map(Int.init)
                ),
                login: row.optionalText(4),
                passwordHash: row.optionalText(5),
                isOperator: row.bool(6),
                isDisabled: row.bool(7),
                showsReads: row.bool(10),
                created: Timestamp(milliseconds: row.int(8)),
                lastSeen: row.optionalInt(9).map(Timestamp.init(milliseconds:))
            )
            account.version = row.int(12)
            return account
        }
    }
}

// Changes of one row.
extension AccountTable {
    /// Writes a locked account's profile, and keeps the image that it names from being removed meanwhile.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser`.
    static func update(_ user: UserID, profile: Profile, _ transaction: any TableTransaction) throws -> User {
        if let avatar = profile.avatar { try ImageTable.lock(path: avatar, transaction) }
        let parameters: [TableValue] = [
            .int(user.rawValue), .text(profile.name), .optional(profile.email), .optional(profile.avatar),
        ]
        let updated = try transaction.rows(profileChange, parameters) { account($0) }
        guard let account = updated.first else { throw SharingError.unknownUser }
        return account.user
    }

    private static let profileChange: TableStatement =
        "UPDATE account SET name = $2, email = $3, avatar = $4 WHERE id = $1 RETURNING \(columns)"

    /// Sets one column.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser`.
    static func set(
        _ column: TableStatement,
        of user: UserID,
        to value: TableValue,
        _ transaction: any TableTransaction
    ) throws {
        guard try transaction.execute(column, [.int(user.rawValue), value]) == 1 else {
            throw SharingError.unknownUser
        }
    }

    /// Sets the hue, in degrees.
    static let hue: TableStatement = "UPDATE account SET hue = $2 WHERE id = $1"

    /// Sets whether others see how far the user has read.
    static let showsReads: TableStatement = "UPDATE account SET shows_reads = $2 WHERE id = $1"

    /// Sets the password's hash, or NULL.
    static let password: TableStatement = "UPDATE account SET password = $2 WHERE id = $1"
}
