import YonderGeodesy
import YonderModel
import YonderRules

/// The statements and rows of the table `credential`: sign-in links, sessions, tokens and known devices, by the hashes of
/// their secrets.
///
/// `TableStore+SignIns.swift` and `SessionTables` call it; each change runs in the caller's transaction, and locks the
/// account before the credential. Inserting the same secret again replaces its row; removing one that isn't there does
/// nothing. A refusal is a ``SharingError``, and rolls back.
///
/// Whether a credential is good is decided in the statements, by kind, expiry and the account's state, so that every server
/// answers alike. A removal of a session or token must be passed to the outlet in the same transaction, or its connections
/// would stay open (decision 36). A kind of a newer version is skipped (`StoredWords`).
enum CredentialTable {
    private static let columns = "secret, kind, person, label, network, created, expires, last_seen"

    /// Inserts a credential, after removing the user's expired ones.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser` or `tooMany`.
    static func insert(_ credential: Credential, _ transaction: any TableTransaction) throws {
        let user = credential.user
        try AccountTable.locked(user, transaction)
        let created = credential.created.milliseconds
        try removeExpired(of: user, at: credential.created, transaction)
        guard try transaction.number(count, [.int(user.rawValue)]) < Credential.limit else {
            throw SharingError.tooManyCredentials
        }
        try transaction.execute(
            insertion,
            [
                .bytes(credential.secret.bytes), .text(credential.kind.rawValue), .int(user.rawValue),
                .text(credential.label), .optional(credential.network), .int(created),
                .optional(credential.expires?.milliseconds), .optional(credential.lastSeen?.milliseconds),
            ]
        )
    }

    private static let count: TableStatement = "SELECT count(*) FROM credential WHERE person = $1"

    private static let insertion: TableStatement = """
        INSERT INTO credential (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (secret) DO UPDATE SET kind = $2, person = $3, label = $4, network = $5, created = $6,
            expires = $7, last_seen = $8
        """

    /// A user's credentials, in no order, expired ones included.
    static func credentials(of user: UserID) -> TableQuery<Credential> {
        TableQuery(list, [.int(user.rawValue)]) { credential($0) }
    }

    private static let list: TableStatement = "SELECT \(columns) FROM credential WHERE person = $1"

    /// A good credential of a kind with its user, unless that one is disabled.
    static func signIn(_ secret: SecretHash, kind: Credential.Kind, at now: Timestamp) -> TableQuery<SignIn> {
        let parameters: [TableValue] = [
            .bytes(secret.bytes), .text(kind.rawValue), .int(now.milliseconds),
        ]
        return TableQuery(signIn, parameters) { row in
            credential(row).map { credential in
                let user = User(
                    id: credential.user,
                    name: row.text(8),
                    email: row.optionalText(9),
                    avatar: row.optionalText(10),
                    hue: row.optionalInt(11).map(Int.init)
                )
                return SignIn(credential: credential, user: user, version: row.int(12))
            }
        }
    }

    private static let signIn: TableStatement = """
        SELECT secret, kind, person, label, network, credential.created, expires, credential.last_seen,
            name, email, avatar, hue, version
        FROM credential JOIN account ON account.id = person
        WHERE secret = $1 AND kind = $2 AND (expires IS NULL OR expires > $3) AND NOT is_disabled
        """

    /// Removes the expired credentials of a locked account's.
    static func removeExpired(of user: UserID, at now: Timestamp, _ transaction: any TableTransaction) throws
    {
        let removed = try transaction.rows(expiry, [.int(user.rawValue), .int(now.milliseconds)]) {
            credential($0)
        }
        try FedShares.judge(of: user, without: removed, at: now, transaction)
    }

    private static let expiry: TableStatement =
        "DELETE FROM credential WHERE person = $1 AND expires <= $2 RETURNING \(columns)"

    /// Some of the users who have expired sessions or tokens.
    static func expired(at now: Timestamp) -> TableQuery<UserID> {
        TableQuery(expiredOwners, [.int(now.milliseconds)]) { UserID($0.int(0)) }
    }

    private static let expiredOwners: TableStatement = """
        SELECT DISTINCT person FROM credential WHERE expires <= $1 AND \(isSignIn) LIMIT 100
        """

    /// Words of a newer version count as sign-ins.
    static let isSignIn = "kind NOT IN ('link', 'device')"

    /// Removes a credential of a user's.
    static func remove(
        _ secret: SecretHash,
        of user: UserID,
        at now: Timestamp,
        _ transaction: any TableTransaction
    ) throws {
        let account = try AccountTable.locked([user], transaction)[user]
        let removed = try transaction.rows(removal, [.bytes(secret.bytes), .int(user.rawValue)]) {
            credential($0)
        }
        guard let account else { return }
        try FedShares.judge(of: user, without: removed, at: now, transaction)
        try AccountTable.tellChange(of: account, removed: removed, transaction)
    }

    private static let removal: TableStatement =
        "DELETE FROM credential WHERE secret = $1 AND person = $2 RETURNING \(columns)"

    /// Removes the credentials of these kinds of a locked account's, but for the kept one, and with every sign-in the invitations.
    ///
    /// - Returns: The credentials that were removed.
    @discardableResult
    static func removeAll(
        of user: UserID,
        _ end: CredentialEnd,
        at now: Timestamp,
        _ transaction: any TableTransaction
    ) throws -> [Credential] {
        guard !end.kinds.isEmpty else { return [] }
        let parameters: [TableValue] = [
            .int(user.rawValue), .texts(end.kinds.map(\.rawValue)), .optional(end.kept?.bytes),
        ]
        let removed = try transaction.rows(removals, parameters) { credential($0) }
        if end.endsInvitations { try InvitationTable.removeAll(of: user, transaction) }
        try FedShares.judge(of: user, without: removed, at: now, transaction)
        return removed.sorted(by: Credential.isListedBefore)
    }

    private static let removals: TableStatement = """
        DELETE FROM credential WHERE person = $1 AND kind = ANY($2) AND ($3::bytea IS NULL OR secret <> $3)
        RETURNING \(columns)
        """

    /// Uses up a link, and locks its user's account.
    ///
    /// - Returns: Whose it was.
    /// - Throws: ``SharingError`` with code `invalidCredentials`.
    static func redeem(_ link: SecretHash, at now: Timestamp, _ transaction: any TableTransaction) throws
        -> UserID
    {
        // The account's lock is taken before the link's, as a removal of the account does.
        let parameters: [TableValue] = [.bytes(link.bytes), .int(now.milliseconds)]
        guard let user = try transaction.rows(linkOwner, parameters, { UserID($0.int(0)) }).first,
            try AccountTable.locked([user], transaction)[user] != nil,
            try transaction.execute(linkUse, parameters) == 1
        else { throw SharingError.linkUsed }
        return user
    }

    private static let goodLink = "secret = $1 AND kind = 'link' AND (expires IS NULL OR expires > $2)"

    private static let linkOwner: TableStatement = "SELECT person FROM credential WHERE \(goodLink)"

    private static let linkUse: TableStatement = "DELETE FROM credential WHERE \(goodLink)"

    /// Forgets the browsers of a user beyond the newest.
    static func limitDevices(of user: UserID, _ transaction: any TableTransaction) throws {
        try transaction.execute(
            deviceLimit,
            [.int(user.rawValue), .int(Int64(SessionStart.deviceLimit))]
        )
    }

    private static let deviceLimit: TableStatement = """
        DELETE FROM credential WHERE person = $1 AND kind = 'device' AND secret NOT IN (
            SELECT secret FROM credential WHERE person = $1 AND kind = 'device'
            ORDER BY created DESC, secret LIMIT $2
        )
        """

    private static func credential(_ row: any TableRow) -> Credential? {
        guard let secret = SecretHash(row.bytes(0)), let kind = StoredWords.kind.read(row.text(1))?.value,
            let user = UserID(row.int(2))
        else { return nil }
        return Credential(
            secret: secret,
            kind: kind,
            user: user,
            label: row.text(3),
            network: row.optionalText(4),
            created: Timestamp(milliseconds: row.int(5)),
            expires: row.optionalInt(6).map(Timestamp.init(milliseconds:)),
            lastSeen: row.optionalInt(7).map(Timestamp.init(milliseconds:))
        )
    }
}
