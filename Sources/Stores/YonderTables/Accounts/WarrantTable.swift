import YonderGeodesy
package import YonderModel
package import YonderRules

/// Judges warrants inside the transactions of the changes that they carry.
///
/// What ends a right locks its account with `FOR UPDATE`; so a judged account is locked, too, and the right can't end before
/// the change is committed. A change of few accounts locks these together with its caller's, by their ids' order, as every
/// transaction does. A commit of many submissions only keeps the accounts from ending: two such commits don't wait for each
/// other.
package enum WarrantTable {
    /// Judges a warrant, and locks its account and those that the change locks next.
    ///
    /// - Throws: ``SharingError`` with code `notSignedIn` or `notAllowed`.
    package static func judge(
        _ warrant: Warrant,
        with others: [UserID] = [],
        _ transaction: any TableTransaction
    ) throws {
        guard let user = warrant.user else { return try judge(warrant, [:], transaction) }
        try judge(warrant, try AccountTable.locked(others + [user], transaction), transaction)
    }

    /// Judges a warrant whose account is locked, if it is there.
    ///
    /// - Throws: ``SharingError`` with code `notSignedIn` or `notAllowed`.
    static func judge(
        _ warrant: Warrant,
        _ locked: [UserID: Account],
        _ transaction: any TableTransaction
    ) throws {
        if let refusal = try refusal(of: warrant, locked, transaction) { throw refusal }
    }

    /// The refusals of ended warrants among those of a commit; the accounts of the others are kept until its end.
    ///
    /// - Throws: What the database throws.
    package static func refusals(of warrants: Set<Warrant>, _ transaction: any TableTransaction) throws
        -> [Warrant: SharingError]
    {
        let users = Set(warrants.compactMap(\.user))
        let accounts = users.isEmpty ? [:] : try AccountTable.kept(Array(users), transaction)
        var refusals: [Warrant: SharingError] = [:]
        for warrant in warrants { refusals[warrant] = try refusal(of: warrant, accounts, transaction) }
        return refusals
    }

    private static func refusal(
        of warrant: Warrant,
        _ accounts: [UserID: Account],
        _ transaction: any TableTransaction
    ) throws -> SharingError? {
        switch warrant {
        case .server: nil
        case .signIn(let held):
            try held.refusal(accounts[held.user]) { () throws(any Error) in
                try transaction.first(stored(held)) ?? false
            }
        case .signingKey(let id): try transaction.has(key, [.text(id)]) ? nil : .signingKeyEnded
        }
    }

    /// A row if a session or token is stored and good.
    package static func stored(_ held: HeldSignIn) -> TableQuery<Bool> {
        let parameters: [TableValue] = [
            .bytes(held.credential.bytes), .int(held.user.rawValue), .int(held.time.milliseconds),
        ]
        return TableQuery(signIn, parameters) { _ in true }
    }

    private static let signIn: TableStatement = """
        SELECT 1 FROM credential WHERE secret = $1 AND person = $2 AND (expires IS NULL OR expires > $3)
        """

    private static let key: TableStatement = "SELECT 1 FROM signing_key WHERE id = $1 FOR KEY SHARE"
}

extension TableStore {
    /// Runs a change in a transaction that judges its warrant first; `others` are the accounts that the change locks.
    ///
    /// - Returns: The result of `body`, once the transaction was committed.
    /// - Throws: ``SharingError``: `notSignedIn`, `notAllowed`, that of `body`, or `unavailable`.
    func transact<Value: Sendable>(
        _ work: TableWork,
        under warrant: Warrant,
        with others: [UserID] = [],
        _ body: @escaping @Sendable (any TableTransaction) throws -> Value
    ) async throws(SharingError) -> Value {
        try await transact(work) { transaction in
            try WarrantTable.judge(warrant, with: others, transaction)
            return try body(transaction)
        }
    }

    /// See ``AccountStore/judge(_:)``.
    package func judge(_ warrant: Warrant) async throws(SharingError) {
        switch warrant {
        case .server: return
        case .signIn(let held):
            let account = try await first(AccountTable.account(held.user))
            var isStored = true
            if let account, account.version != held.version {
                isStored = try await first(WarrantTable.stored(held)) ?? false
            }
            if let refusal = held.refusal(account, isStored: { isStored }) { throw refusal }
        case .signingKey(let id):
            guard try await signingKey(id) != nil else { throw .signingKeyEnded }
        }
    }
}
