#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// The table `invitation`.
enum InvitationTable {
    /// Inserts an invitation, after removing its sender's expired ones.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser` or `tooMany`.
    static func insert(_ invitation: Invitation, _ transaction: Transaction) async throws {
        let sender = invitation.sender
        try await AccountTable.locked(sender, transaction)
        let created = invitation.created.milliseconds
        try await transaction.execute(expiry, [.int(sender.rawValue), .int(created)])
        let open = try await transaction.query(count, [.int(sender.rawValue)]).first?.int(0) ?? 0
        guard open < Invitation.openLimit else { throw SharingError.tooManyInvitations }
        try await transaction.execute(
            insertion,
            [
                .bytes(invitation.secret.bytes), .int(sender.rawValue), .int(created),
                .int(invitation.expires.milliseconds),
            ]
        )
    }

    private static let expiry = Statement(
        name: "expire_invitations_of",
        sql: "DELETE FROM invitation WHERE sender = $1 AND expires <= $2"
    )

    private static let count = Statement(
        name: "count_invitations",
        sql: "SELECT count(*) FROM invitation WHERE sender = $1"
    )

    private static let insertion = Statement(
        name: "insert_invitation",
        sql: """
            INSERT INTO invitation (secret, sender, created, expires) VALUES ($1, $2, $3, $4)
            ON CONFLICT (secret) DO UPDATE SET sender = $2, created = $3, expires = $4
            """
    )

    static let open = Statement(
        name: "open_invitation",
        sql: "SELECT sender, created, expires FROM invitation WHERE secret = $1 AND expires > $2"
    )

    /// - Throws: ``SharingError`` with code `invitationUsed`.
    static func invitation(_ row: Row?, _ secret: SecretHash) throws(SharingError) -> Invitation {
        guard let row, let sender = UserID(row.int(0)) else { throw .invitationUsed }
        return Invitation(
            secret: secret,
            sender: sender,
            created: Timestamp(milliseconds: row.int(1)),
            expires: Timestamp(milliseconds: row.int(2))
        )
    }

    /// Accepts an invitation, which is used up.
    ///
    /// - Throws: ``SharingError`` with code `invitationUsed` or `unknownUser`.
    static func accept(
        _ secret: SecretHash,
        by user: UserID,
        at now: Timestamp,
        _ transaction: Transaction
    ) async throws -> User {
        let parameters: [Parameter] = [.bytes(secret.bytes), .int(now.milliseconds)]
        let sender = try invitation(try await transaction.query(open, parameters).first, secret).sender
        // Both accounts are locked before the invitation, as by every transaction that locks both.
        let accounts = try await AccountTable.locked([sender, user], transaction)
        guard sender != user, let inviter = accounts[sender]?.user,
            try await !ContactTable.areApart(sender, user, transaction),
            try await transaction.execute(use, parameters) == 1
        else { throw SharingError.invitationUsed }
        try await ContactTable.connect(sender, user, transaction)
        // With the hue that the contact may have given.
        return try await transaction.query(AccountTable.byID, [.int(sender.rawValue)]).first
            .flatMap(AccountTable.account)?.user ?? inviter
    }

    private static let use = Statement(
        name: "use_invitation",
        sql: "DELETE FROM invitation WHERE secret = $1 AND expires > $2"
    )
}
#endif
