import YonderGeodesy
import YonderModel
import YonderRules

/// The statements and rows of the table `invitation`, by the hashes of their secrets.
///
/// `TableStore+Accounts.swift` and `SessionTables` call it, in their transactions. An invitation is used once: of two
/// users that open it at once, the user whose transaction removes the row becomes a contact. Both accounts are locked
/// before the row, as everywhere. A refusal is a ``SharingError``, and leaves the invitation good. How many a user
/// may have open is `Invitation.openLimit`.
///
/// The order of the locks must stay, and that only hashes are stored (`StoreRule+Accounts.swift`, for both databases).
/// `StatementCostTests` holds the cost of each statement.
enum InvitationTable {
    /// Inserts an invitation, after removing its sender's expired ones.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser` or `tooMany`.
    static func insert(_ invitation: Invitation, _ transaction: any TableTransaction) throws {
        let sender = TableValue.int(invitation.sender.rawValue)
        let created = TableValue.int(invitation.created.milliseconds)
        try AccountTable.locked(invitation.sender, transaction)
        try transaction.execute(expiry, [sender, created])
        guard try transaction.number(count, [sender]) < Invitation.openLimit else {
            throw SharingError.tooManyInvitations
        }
        try transaction.execute(
            insertion,
            [.bytes(invitation.secret.bytes), sender, created, .int(invitation.expires.milliseconds)]
        )
    }

    private static let expiry: TableStatement = "DELETE FROM invitation WHERE sender = $1 AND expires <= $2"

    private static let count: TableStatement = "SELECT count(*) FROM invitation WHERE sender = $1"

    private static let insertion: TableStatement = """
        INSERT INTO invitation (secret, sender, created, expires) VALUES ($1, $2, $3, $4)
        ON CONFLICT (secret) DO UPDATE SET sender = $2, created = $3, expires = $4
        """

    /// An invitation that wasn't used and is good at `now`.
    static func invitation(_ secret: SecretHash, at now: Timestamp) -> TableQuery<Invitation> {
        TableQuery(open, [.bytes(secret.bytes), .int(now.milliseconds)]) { row in
            UserID(row.int(0)).map { sender in
                Invitation(
                    secret: secret,
                    sender: sender,
                    created: Timestamp(milliseconds: row.int(1)),
                    expires: Timestamp(milliseconds: row.int(2))
                )
            }
        }
    }

    private static let open: TableStatement =
        "SELECT sender, created, expires FROM invitation WHERE secret = $1 AND expires > $2"

    /// Accepts an invitation, which is used up.
    ///
    /// - Throws: ``SharingError`` with code `invitationUsed` or `unknownUser`.
    static func accept(
        _ secret: SecretHash,
        by user: UserID,
        at now: Timestamp,
        _ transaction: any TableTransaction
    ) throws -> User {
        guard let sender = try transaction.first(invitation(secret, at: now))?.sender else {
            throw SharingError.invitationUsed
        }
        // Both accounts are locked before the invitation, as by every transaction that locks both.
        let accounts = try AccountTable.locked([sender, user], transaction)
        guard sender != user, let account = accounts[sender], !account.isDisabled,
            try !ContactTable.areApart(sender, user, transaction),
            try transaction.execute(use, [.bytes(secret.bytes), .int(now.milliseconds)]) == 1
        else { throw SharingError.invitationUsed }
        try ContactTable.connect(sender, user, transaction)
        // With the hue that the contact may have given.
        return try transaction.first(AccountTable.account(sender))?.user ?? account.user
    }

    /// Removes what a person sent and nobody used.
    static func removeAll(of sender: UserID, _ transaction: any TableTransaction) throws {
        try transaction.execute(removal, [.int(sender.rawValue)])
    }

    private static let removal: TableStatement = "DELETE FROM invitation WHERE sender = $1"

    private static let use: TableStatement = "DELETE FROM invitation WHERE secret = $1 AND expires > $2"
}
