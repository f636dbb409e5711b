import Foundation
import GRDB
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// The tables `credential` and `invitation`.
enum CredentialRow {
    private static let columns = "secret, kind, user, label, network, created, expires, lastSeen"

    /// Inserts a credential, after removing the user's expired ones.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser` or `tooMany`.
    static func insert(_ credential: Credential, into database: Database) throws {
        _ = try AccountRow.account(credential.user, in: database)
        let user = credential.user.rawValue
        try database.execute(
            sql: "DELETE FROM credential WHERE user = ? AND expires <= ?",
            arguments: [user, credential.created.milliseconds]
        )
        let count = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM credential WHERE user = ?",
            arguments: [user]
        )
        guard count ?? 0 < Credential.limit else { throw SharingError.tooManyCredentials }
        try database.execute(
            sql: "INSERT OR REPLACE INTO credential (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                Data(credential.secret.bytes), credential.kind.rawValue, user, credential.label,
                credential.network, credential.created.milliseconds, credential.expires?.milliseconds,
                credential.lastSeen?.milliseconds,
            ]
        )
    }

    static func credential(
        _ secret: SecretHash,
        kind: Credential.Kind,
        at now: Timestamp,
        in database: Database
    )
        throws -> Credential?
    {
        try credentials(where: "secret = ?", [Data(secret.bytes)], in: database)
            .first { $0.kind == kind && $0.isGood(at: now) }
    }

    static func credentials(of user: UserID, in database: Database) throws -> [Credential] {
        try credentials(where: "user = ?", [user.rawValue], in: database).sorted(
            by: Credential.isListedBefore
        )
    }

    static func remove(_ secret: SecretHash, of user: UserID, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM credential WHERE secret = ? AND user = ?",
            arguments: [Data(secret.bytes), user.rawValue]
        )
    }

    /// - Returns: The credentials that were removed.
    static func removeAll(of user: UserID, _ end: CredentialEnd, in database: Database) throws
        -> [Credential]
    {
        guard !end.kinds.isEmpty else { return [] }
        let removed = try credentials(of: user, in: database).filter {
            end.kinds.contains($0.kind) && $0.secret != end.kept
        }
        for credential in removed { try remove(credential.secret, of: user, in: database) }
        return removed
    }

    /// Removes every expired credential and invitation.
    static func removeExpired(at now: Timestamp, in database: Database) throws {
        for table in ["credential", "invitation"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE expires <= ?",
                arguments: [now.milliseconds]
            )
        }
    }

    /// Uses up a link.
    ///
    /// - Returns: Whose it was.
    /// - Throws: ``SharingError`` with code `invalidCredentials`.
    static func redeem(_ link: SecretHash, at now: Timestamp, in database: Database) throws -> UserID {
        guard let found = try credential(link, kind: .link, at: now, in: database) else {
            throw SharingError.linkUsed
        }
        try remove(link, of: found.user, in: database)
        return found.user
    }

    private static func credentials(
        where condition: String,
        _ arguments: StatementArguments,
        in database: Database
    )
        throws -> [Credential]
    {
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns) FROM credential WHERE \(condition)"
        )
        return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
            guard let secret = SecretHash([UInt8](row[0] as Data)), let user = UserID(row[2] as Int64),
                let kind = StoredWords.kind.read(row[1])?.value
            else { return nil }
            return Credential(
                secret: secret,
                kind: kind,
                user: user,
                label: row[3],
                network: row[4],
                created: Timestamp(milliseconds: row[5]),
                expires: (row[6] as Int64?).map(Timestamp.init(milliseconds:)),
                lastSeen: (row[7] as Int64?).map(Timestamp.init(milliseconds:))
            )
        }
    }
}

/// The table `invitation`.
enum InvitationRow {
    /// Inserts an invitation, after removing its sender's expired ones.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser` or `tooMany`.
    static func insert(_ invitation: Invitation, into database: Database) throws {
        let sender = try AccountRow.account(invitation.sender, in: database).user.id.rawValue
        try database.execute(
            sql: "DELETE FROM invitation WHERE sender = ? AND expires <= ?",
            arguments: [sender, invitation.created.milliseconds]
        )
        let open = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM invitation WHERE sender = ?",
            arguments: [sender]
        )
        guard open ?? 0 < Invitation.openLimit else { throw SharingError.tooManyInvitations }
        try database.execute(
            sql: "INSERT OR REPLACE INTO invitation (secret, sender, created, expires) VALUES (?, ?, ?, ?)",
            arguments: [
                Data(invitation.secret.bytes), sender, invitation.created.milliseconds,
                invitation.expires.milliseconds,
            ]
        )
    }

    /// - Throws: ``SharingError`` with code `invitationUsed`.
    static func invitation(_ secret: SecretHash, at now: Timestamp, in database: Database) throws
        -> Invitation
    {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT sender, created, expires FROM invitation WHERE secret = ? AND expires > ?",
            arguments: [Data(secret.bytes), now.milliseconds]
        )
        guard let row, let sender = UserID(row[0] as Int64) else { throw SharingError.invitationUsed }
        return Invitation(
            secret: secret,
            sender: sender,
            created: Timestamp(milliseconds: row[1]),
            expires: Timestamp(milliseconds: row[2])
        )
    }

    /// Accepts an invitation, which is used up.
    ///
    /// - Throws: ``SharingError`` with code `invitationUsed` or `unknownUser`.
    static func accept(_ secret: SecretHash, by user: UserID, at now: Timestamp, in database: Database) throws
        -> User
    {
        let sender = try invitation(secret, at: now, in: database).sender
        guard try sender != user && !BlockRow.areApart(sender, user, in: database) else {
            throw SharingError.invitationUsed
        }
        try AccountRow.connect(sender, user, in: database)
        try database.execute(sql: "DELETE FROM invitation WHERE secret = ?", arguments: [Data(secret.bytes)])
        return try AccountRow.account(sender, in: database).user
    }
}
