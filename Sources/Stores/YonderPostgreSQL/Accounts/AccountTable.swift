#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// The table `account`.
enum AccountTable {
    private static let written =
        "id, name, email, avatar, login, password, is_operator, is_disabled, created, last_seen, shows_reads, hue"

    /// With the version, which the database raises by itself.
    private static let columns = written + ", version"

    /// - Throws: ``SharingError`` with code `nameTaken`.
    static func insert(_ account: Account, _ transaction: Transaction) async throws {
        let user = account.user
        let parameters: [Parameter] = [
            .int(user.id.rawValue), .text(user.name), .optional(user.email), .optional(user.avatar),
            .optional(account.login), .optional(account.passwordHash), .bool(account.isOperator),
            .bool(account.isDisabled), .int(account.created.milliseconds),
            .optional(account.lastSeen?.milliseconds), .bool(account.showsReads),
            .optional(user.hue.map(Int64.init)),
        ]
        guard try await transaction.execute(insertion, parameters) == 1 else { throw SharingError.nameTaken }
    }

    private static let insertion = Statement(
        name: "insert_account",
        sql: """
            INSERT INTO account (\(written)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT DO NOTHING
            """
    )

    static let byID = Statement(name: "account_by_id", sql: "SELECT \(columns) FROM account WHERE id = $1")

    static let byLogin = Statement(
        name: "account_by_login",
        sql: "SELECT \(columns) FROM account WHERE login = $1"
    )

    static let page = Statement(
        name: "accounts_after",
        sql: """
            SELECT \(columns) FROM account
            WHERE (created, id) > ($1::bigint, $2::bigint) ORDER BY created, id LIMIT $3
            """
    )

    static let among = Statement(
        name: "accounts_among",
        sql: "SELECT \(columns) FROM account WHERE id = ANY($1)"
    )

    static let contacts = Statement(
        name: "contacts_of",
        sql: "SELECT \(columns) FROM account WHERE id IN (SELECT other FROM contact WHERE person = $1)"
    )

    static let blocked = Statement(
        name: "blocked_by",
        sql: "SELECT \(columns) FROM account WHERE id IN (SELECT other FROM block WHERE person = $1)"
    )

    /// The account with the account's lock, until the transaction ends: counted limits are checked under it.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser`.
    @discardableResult
    static func locked(_ user: UserID, _ transaction: Transaction) async throws -> Account {
        guard let account = try await locked([user], transaction)[user] else {
            throw SharingError.unknownUser
        }
        return account
    }

    /// The existing accounts among some, locked by their ids' order, so that two transactions never wait in a circle.
    static func locked(_ users: [UserID], _ transaction: Transaction) async throws -> [UserID: Account] {
        let rows = try await transaction.query(lock, [.ints(users.map(\.rawValue))])
        return Dictionary(rows.compactMap(account).map { ($0.user.id, $0) }) { first, _ in first }
    }

    private static let lock = Statement(
        name: "lock_accounts",
        sql: "SELECT \(columns) FROM account WHERE id = ANY($1) ORDER BY id FOR UPDATE"
    )

    /// The account and every operator's that isn't disabled, locked: who is left decides whether one may go.
    static func lockedWithOperators(_ user: UserID, _ transaction: Transaction) async throws -> [Account] {
        try await transaction.query(lockWithOperators, [.int(user.rawValue)]).compactMap(account)
    }

    private static let lockWithOperators = Statement(
        name: "lock_operators",
        sql: """
            SELECT \(columns) FROM account WHERE id = $1 OR is_operator AND NOT is_disabled ORDER BY id FOR UPDATE
            """
    )

    static func account(_ row: Row) -> Account? {
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
    /// - Throws: ``SharingError`` with code `unknownUser`.
    static func update(_ user: UserID, profile: Profile, _ transaction: Transaction) async throws -> User {
        if let avatar = profile.avatar { try await ImageTable.lock(path: avatar, transaction) }
        let parameters: [Parameter] = [
            .int(user.rawValue), .text(profile.name), .optional(profile.email), .optional(profile.avatar),
        ]
        let row = try await transaction.query(profileChange, parameters).first
        guard let account = row.flatMap(account) else { throw SharingError.unknownUser }
        return account.user
    }

    private static let profileChange = Statement(
        name: "change_profile",
        sql: "UPDATE account SET name = $2, email = $3, avatar = $4 WHERE id = $1 RETURNING \(columns)"
    )

    /// Sets one column.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser`.
    static func set(
        _ column: Statement,
        of user: UserID,
        to value: Parameter,
        _ transaction: Transaction
    ) async throws {
        guard try await transaction.execute(column, [.int(user.rawValue), value]) == 1 else {
            throw SharingError.unknownUser
        }
    }

    static let hue = Statement(name: "set_hue", sql: "UPDATE account SET hue = $2 WHERE id = $1")

    static let showsReads = Statement(
        name: "set_shows_reads",
        sql: "UPDATE account SET shows_reads = $2 WHERE id = $1"
    )

    static let password = Statement(
        name: "set_password",
        sql: "UPDATE account SET password = $2 WHERE id = $1"
    )
}

// Hues.
extension AccountTable {
    /// Gives a hue to those users without one who have joined a chat: most have one, which costs a look-up.
    static func giveHues(to users: [UserID], in chat: ChatID, _ transaction: Transaction) async throws {
        let rows = try await transaction.query(hueless, [.ints(users.map(\.rawValue))])
        let without = rows.compactMap { UserID($0.int(0)) }
        try await giveHues(to: without, around: participantHues, [.int(chat.rawValue)], transaction)
    }

    /// Gives a hue to locked accounts, apart from those that `query` finds.
    static func giveHues(
        to users: [UserID],
        around query: Statement,
        _ parameters: [Parameter],
        _ transaction: Transaction
    ) async throws {
        guard !users.isEmpty else { return }
        // Servers give hues one after another, so that no two give the same one.
        try await transaction.execute(hueLock)
        let accounts = try await transaction.query(hueSample, [.int(Int64(FreeHues.sample))])
        let near = try await transaction.query(query, parameters)
        let degrees = { (row: Row) in row.optionalInt(0).map(Int.init) }
        var free = FreeHues(of: accounts.map(degrees), around: near.compactMap(degrees))
        for user in users {
            try await set(Self.hue, of: user, to: .int(Int64(free.take(for: user))), transaction)
        }
    }

    private static let hueLock = Statement(name: "lock_hues", sql: "SELECT pg_advisory_xact_lock(7923006743)")
    private static let hueSample = Statement(name: "sample_hues", sql: "SELECT hue FROM account LIMIT $1")
    private static let hueless = Statement(
        name: "users_without_hue",
        sql: "SELECT id FROM account WHERE id = ANY($1) AND hue IS NULL ORDER BY id FOR UPDATE"
    )
    private static let participantHues = Statement(
        name: "hues_of_participants",
        sql: "SELECT DISTINCT hue FROM participant JOIN account ON id = person WHERE chat = $1 AND is_present"
    )
}

// Changes by operators.
extension AccountTable {
    /// - Throws: ``SharingError`` with code `unknownUser`, `nameTaken` or `lastOperator`.
    static func change(_ user: UserID, _ change: AccountChange, _ transaction: Transaction) async throws
        -> Account
    {
        let locked = try await lockedWithOperators(user, transaction)
        guard let old = locked.first(where: { $0.user.id == user }) else { throw SharingError.unknownUser }
        let new = change.applied(to: old)
        let parameters: [Parameter] = [
            .int(user.rawValue), .text(new.user.name), .optional(new.user.email), .optional(new.login),
            .bool(new.isOperator), .bool(new.isDisabled),
        ]
        do {
            try await transaction.execute(operatorsChange, parameters)
        } catch let failure as LinkFailure where failure.isDuplicate {
            throw SharingError.nameTaken
        }
        if !new.isOperator || new.isDisabled { try checkOperators(but: old, among: locked) }
        if new.isDisabled {
            let end = CredentialEnd([.session, .link, .device])
            try await CredentialTable.removeAll(of: user, end, transaction)
        }
        guard let account = try await tellChange(of: old, transaction) else { throw SharingError.unknownUser }
        return account
    }

    /// Has others be told of what has changed of a locked account's sign-ins.
    ///
    /// - Returns: The account as it is; `nil` if it was removed.
    @discardableResult
    static func tellChange(
        of old: Account,
        removed: [Credential] = [],
        _ transaction: Transaction
    ) async throws -> Account? {
        let new = try await transaction.query(byID, [.int(old.user.id.rawValue)]).first.flatMap(account)
        if let change = SignInChange(of: old, to: new, removed: removed) {
            transaction.tell { $0.signIns.append(change) }
        }
        return new
    }

    private static let operatorsChange = Statement(
        name: "change_account",
        sql: """
            UPDATE account SET name = $2, email = $3, login = $4, is_operator = $5, is_disabled = $6 WHERE id = $1
            """
    )

    /// - Throws: ``SharingError`` with code `unknownUser` or `lastOperator`.
    static func remove(_ user: UserID, _ transaction: Transaction) async throws {
        let locked = try await lockedWithOperators(user, transaction)
        guard let account = locked.first(where: { $0.user.id == user }) else {
            if try await !transaction.query(isLeaving, [.int(user.rawValue)]).isEmpty { return }
            throw SharingError.unknownUser
        }
        try checkOperators(but: account, among: locked)
        for statement in removals { try await transaction.execute(statement, [.int(user.rawValue)]) }
        try await tellChange(of: account, transaction)
    }

    private static let removals = [
        "DELETE FROM account WHERE id = $1", "DELETE FROM credential WHERE person = $1",
        "DELETE FROM invitation WHERE sender = $1",
        "DELETE FROM contact WHERE (person, other) IN (SELECT other, person FROM contact WHERE person = $1)",
        "DELETE FROM contact WHERE person = $1",
        "DELETE FROM known_network WHERE person = $1", "DELETE FROM account_event WHERE person = $1",
        "DELETE FROM block WHERE person = $1 OR other = $1",
        "INSERT INTO leaving (person) VALUES ($1) ON CONFLICT DO NOTHING",
    ].enumerated().map { Statement(name: "remove_account_\($0)", sql: $1) }

    static let leaving = Statement(name: "leaving", sql: "SELECT person FROM leaving ORDER BY person")

    static let left = Statement(name: "left", sql: "DELETE FROM leaving WHERE person = $1")

    private static let isLeaving = Statement(
        name: "is_leaving",
        sql: "SELECT person FROM leaving WHERE person = $1"
    )

    /// Throws unless there is another operator who isn't disabled.
    private static func checkOperators(but account: Account, among locked: [Account]) throws {
        guard account.isOperator, !account.isDisabled else { return }
        let isAnother = locked.contains {
            $0.isOperator && !$0.isDisabled && $0.user.id != account.user.id
        }
        guard isAnother else { throw SharingError.lastOperator }
    }
}
#endif
