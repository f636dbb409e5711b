package import YonderGeodesy
package import YonderModel
package import YonderRules

/// What a change of sign-ins does to the shares that they fed, in the transaction of that change.
///
/// The account is locked, and what was removed is gone, before it is judged which sign-ins are left. A start and a report of
/// another sign-in lock account and credential, too (``isGood(_:of:at:)``), so either it is seen here, or it sees the end.
/// A change that ends no sign-in reads nothing.
package enum FedShares {
    /// Ends the shares of a locked account's that were fed by none of its good sign-ins, after some credentials were removed.
    static func judge(
        of user: UserID,
        without removed: [Credential],
        at now: Timestamp,
        _ transaction: any TableTransaction
    ) throws {
        guard removed.contains(where: \.isSignIn) else { return }
        let chats = try transaction.rows(ShareTable.chats(sharedBy: user))
        guard !chats.isEmpty else { return }
        let good = try transaction.rows(goodOnes, [.int(user.rawValue), .int(now.milliseconds)]) {
            SecretHash($0.bytes(0))?.source
        }
        try transaction.endShares(SignInEnd(of: user, chats: chats, good: Set(good), at: now))
    }

    /// Ends every share of a locked account's.
    static func endAll(of user: UserID, at now: Timestamp, _ transaction: any TableTransaction) throws {
        let chats = try transaction.rows(ShareTable.chats(sharedBy: user))
        guard !chats.isEmpty else { return }
        try transaction.endShares(SignInEnd(of: user, chats: chats, good: nil, at: now))
    }

    private static let goodOnes: TableStatement = """
        SELECT secret FROM credential
        WHERE person = $1 AND \(CredentialTable.isSignIn) AND (expires IS NULL OR expires > $2)
        """

    /// A row if a session or token is its user's, and good; it stays so until the transaction ends.
    ///
    /// In PostgreSQL the account is locked before the credential, and both before a chat, as everywhere.
    package static func isGood(_ signIn: SecretHash, of user: UserID, at now: Timestamp) -> TableQuery<Bool> {
        TableQuery(good, [.bytes(signIn.bytes), .int(user.rawValue), .int(now.milliseconds)]) { _ in true }
    }

    private static let good = TableStatement(
        "\(isGood) FOR KEY SHARE",
        sqlite: isGood.replacing("$", with: "?")
    )

    private static let isGood = """
        SELECT account.id FROM account JOIN credential ON person = account.id
        WHERE secret = $1 AND person = $2 AND (expires IS NULL OR expires > $3) AND NOT is_disabled
        """
}
