import YonderGeodesy
import YonderModel
import YonderRules

// Changes by operators: the tables `account` and `leaving`. `TableStore+Accounts.swift` calls it, each call in a transaction
// of its own, committed once; a refusal changes nothing. The accounts of all operators are locked first, so that two changes
// at once can't leave the server without one. The sign-ins that a change ended are passed to the outlet in the same
// transaction, or sessions would stay open (decision 36).
// The lock of all operators must stay (`StoreRule+Operators.swift`, with two changes at once).
extension AccountTable {
    /// Changes an account; disabling also removes its sessions, links and known devices, and ends its shares.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser`, `nameTaken`, `lastOperator`, or of the warrant.
    static func change(
        _ user: UserID,
        _ change: AccountChange,
        at now: Timestamp,
        under warrant: Warrant,
        _ transaction: any TableTransaction
    ) throws -> Account {
        let locked = try locked(user, under: warrant, transaction)
        guard let old = locked[user] else { throw SharingError.unknownUser }
        let new = change.applied(to: old)
        let parameters: [TableValue] = [
            .int(user.rawValue), .text(new.user.name), .optional(new.user.email), .optional(new.login),
            .bool(new.isOperator), .bool(new.isDisabled),
        ]
        try transaction.execute(operatorsChange, parameters, duplicate: .nameTaken)
        if !new.isOperator || new.isDisabled { try checkOperators(but: old, among: locked) }
        if new.isDisabled {
            try FedShares.endAll(of: user, at: now, transaction)
            let end = CredentialEnd([.session, .link, .device])
            try CredentialTable.removeAll(of: user, end, at: now, transaction)
            try InvitationTable.removeAll(of: user, transaction)
        }
        guard let account = try tellChange(of: old, transaction) else { throw SharingError.unknownUser }
        return account
    }

    /// Locks an account with those of all operators, and judges the warrant of a change of it.
    private static func locked(
        _ user: UserID,
        under warrant: Warrant,
        _ transaction: any TableTransaction
    ) throws -> [UserID: Account] {
        let users = [user] + [warrant.user].compactMap(\.self)
        let locked = try lockedWithOperators(users, transaction)
        try WarrantTable.judge(warrant, locked, transaction)
        return locked
    }

    private static let operatorsChange: TableStatement = """
        UPDATE account SET name = $2, email = $3, login = $4, is_operator = $5, is_disabled = $6 WHERE id = $1
        """

    /// Adds what has changed in the sign-ins of a locked account to the transaction's outlet, which passes it to sessions
    /// and servers.
    ///
    /// - Returns: The account as it is; `nil` if it was removed.
    @discardableResult
    static func tellChange(
        of old: Account,
        removed: [Credential] = [],
        _ transaction: any TableTransaction
    ) throws -> Account? {
        let new = try transaction.first(account(old.user.id))
        if let change = SignInChange(of: old, to: new, removed: removed) {
            transaction.tell { $0.signIns.append(change) }
        }
        return new
    }

    /// Removes an account with all that belongs to it, ends its shares, and notes that its user must leave all chats; does
    /// nothing for one who is leaving.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser` or `lastOperator`, or of the warrant.
    static func remove(
        _ user: UserID,
        at now: Timestamp,
        under warrant: Warrant,
        _ transaction: any TableTransaction
    ) throws {
        let locked = try locked(user, under: warrant, transaction)
        guard let account = locked[user] else {
            if try transaction.has(isLeaving, [.int(user.rawValue)]) { return }
            throw SharingError.unknownUser
        }
        try checkOperators(but: account, among: locked)
        try FedShares.endAll(of: user, at: now, transaction)
        for statement in removals { try transaction.execute(statement, [.int(user.rawValue)]) }
        try tellChange(of: account, transaction)
    }

    /// The removed users who may still be in chats, by id.
    static var leaving: TableQuery<UserID> { TableQuery(allLeaving) { UserID($0.int(0)) } }

    private static let allLeaving: TableStatement = "SELECT person FROM leaving ORDER BY person"

    /// Notes that a removed user is in no chat any more.
    static let left: TableStatement = "DELETE FROM leaving WHERE person = $1"

    private static let isLeaving: TableStatement = "SELECT person FROM leaving WHERE person = $1"

    /// Checks that the server keeps at least one enabled operator without this account.
    ///
    /// - Throws: ``SharingError`` with code `lastOperator`.
    private static func checkOperators(but account: Account, among locked: [UserID: Account]) throws {
        guard account.isOperator, !account.isDisabled else { return }
        let isAnother = locked.values.contains {
            $0.isOperator && !$0.isDisabled && $0.user.id != account.user.id
        }
        guard isAnother else { throw SharingError.lastOperator }
    }
}
