import GRDB
import YonderModel
import YonderRules

// Changes of accounts and credentials that the outlet receives.
extension ChatWriter {
    /// Runs `body`, which may change what signs a user in, and adds the changes to the commit.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - database: The database, in a transaction.
    ///   - body: Changes the account; returns also the credentials that it removed.
    /// - Returns: The value of `body`.
    /// - Throws: The error of `body`.
    func signIns<Value>(
        of user: UserID,
        in database: Database,
        _ body: () throws -> (value: Value, removed: [Credential])
    ) throws -> Value {
        let old = try? AccountRow.account(user, in: database)
        let (value, removed) = try body()
        let new = try? AccountRow.account(user, in: database)
        if let old, let change = SignInChange(of: old, to: new, removed: removed) {
            commit.signIns.append(change)
        }
        return value
    }
}
