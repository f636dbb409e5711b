#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// The table `credential`.
enum CredentialTable {
    private static let columns = "secret, kind, person, label, network, created, expires, last_seen"

    /// Inserts a credential, after removing the user's expired ones.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser` or `tooMany`.
    static func insert(_ credential: Credential, _ transaction: Transaction) async throws {
        let user = credential.user
        try await AccountTable.locked(user, transaction)
        let created = credential.created.milliseconds
        try await transaction.execute(expiry, [.int(user.rawValue), .int(created)])
        let count = try await transaction.query(count, [.int(user.rawValue)]).first?.int(0) ?? 0
        guard count < Credential.limit else { throw SharingError.tooManyCredentials }
        try await transaction.execute(
            insertion,
            [
                .bytes(credential.secret.bytes), .text(credential.kind.rawValue), .int(user.rawValue),
                .text(credential.label), .optional(credential.network), .int(created),
                .optional(credential.expires?.milliseconds), .optional(credential.lastSeen?.milliseconds),
            ]
        )
    }

    private static let expiry = Statement(
        name: "expire_credentials_of",
        sql: "DELETE FROM credential WHERE person = $1 AND expires <= $2"
    )

    private static let count = Statement(
        name: "count_credentials",
        sql: "SELECT count(*) FROM credential WHERE person = $1"
    )

    private static let insertion = Statement(
        name: "insert_credential",
        sql: """
            INSERT INTO credential (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (secret) DO UPDATE SET kind = $2, person = $3, label = $4, network = $5, created = $6,
                expires = $7, last_seen = $8
            """
    )

    /// The credentials of a user.
    static let list = Statement(
        name: "credentials_of",
        sql: "SELECT \(columns) FROM credential WHERE person = $1"
    )

    /// A good credential of a kind, unless its user is disabled, and then the user's row.
    static let signIn = Statement(
        name: "sign_in",
        sql: """
            SELECT secret, kind, person, label, network, credential.created, expires, credential.last_seen,
                name, email, avatar, hue, version
            FROM credential JOIN account ON account.id = person
            WHERE secret = $1 AND kind = $2 AND (expires IS NULL OR expires > $3) AND NOT is_disabled
            """
    )

    static func signIn(_ row: Row) -> SignIn? {
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

    /// Removes a credential of a user's.
    static func remove(_ secret: SecretHash, of user: UserID, _ transaction: Transaction) async throws {
        let account = try await AccountTable.locked([user], transaction)[user]
        let rows = try await transaction.query(removal, [.bytes(secret.bytes), .int(user.rawValue)])
        guard let account else { return }
        try await AccountTable.tellChange(
            of: account,
            removed: rows.compactMap(credential),
            transaction
        )
    }

    private static let removal = Statement(
        name: "remove_credential",
        sql: "DELETE FROM credential WHERE secret = $1 AND person = $2 RETURNING \(columns)"
    )

    /// Removes the credentials of these kinds of a locked account's, but for the kept one.
    ///
    /// - Returns: The credentials that were removed.
    @discardableResult
    static func removeAll(of user: UserID, _ end: CredentialEnd, _ transaction: Transaction) async throws
        -> [Credential]
    {
        guard !end.kinds.isEmpty else { return [] }
        return try await transaction.query(
            removals,
            [.int(user.rawValue), .texts(end.kinds.map(\.rawValue)), .optional(end.kept?.bytes)]
        ).compactMap(credential).sorted(by: Credential.isListedBefore)
    }

    private static let removals = Statement(
        name: "remove_credentials",
        sql: """
            DELETE FROM credential WHERE person = $1 AND kind = ANY($2) AND ($3::bytea IS NULL OR secret <> $3)
            RETURNING \(columns)
            """
    )

    /// Uses up a link, and locks its user's account.
    ///
    /// - Returns: Whose it was.
    /// - Throws: ``SharingError`` with code `invalidCredentials`.
    static func redeem(_ link: SecretHash, at now: Timestamp, _ transaction: Transaction) async throws
        -> UserID
    {
        // The account's lock is taken before the link's, as a removal of the account does.
        let parameters: [Parameter] = [.bytes(link.bytes), .int(now.milliseconds)]
        guard
            let user = try await transaction.query(linkOwner, parameters).first.flatMap({ UserID($0.int(0)) }
            ),
            try await AccountTable.locked([user], transaction)[user] != nil,
            try await transaction.execute(linkUse, parameters) == 1
        else { throw SharingError.linkUsed }
        return user
    }

    /// Whether a secret is that of a browser with which the user has signed in before.
    static func isDevice(_ secret: SecretHash, of user: UserID, at now: Timestamp, _ transaction: Transaction)
        async throws -> Bool
    {
        let parameters: [Parameter] = [
            .bytes(secret.bytes), .text(Credential.Kind.device.rawValue), .int(now.milliseconds),
        ]
        return try await transaction.query(signIn, parameters).first.flatMap(credential)?.user == user
    }

    /// Forgets the browsers of a user beyond the newest.
    static func limitDevices(of user: UserID, _ transaction: Transaction) async throws {
        try await transaction.execute(
            deviceLimit,
            [.int(user.rawValue), .int(Int64(SessionStart.deviceLimit))]
        )
    }

    private static let deviceLimit = Statement(
        name: "limit_devices",
        sql: """
            DELETE FROM credential WHERE secret IN (
                SELECT secret FROM credential WHERE person = $1 AND kind = 'device'
                ORDER BY created DESC, secret OFFSET $2
            )
            """
    )

    private static let goodLink = "secret = $1 AND kind = 'link' AND (expires IS NULL OR expires > $2)"

    private static let linkOwner = Statement(
        name: "owner_of_link",
        sql: "SELECT person FROM credential WHERE \(goodLink)"
    )

    private static let linkUse = Statement(name: "use_link", sql: "DELETE FROM credential WHERE \(goodLink)")

    static func credential(_ row: Row) -> Credential? {
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
#endif
