import YonderGeodesy
import YonderModel
import YonderRules

// Which sign-ins are good.
extension MemoryAccounts {
    /// Whether a session or token is a user's, and good.
    func isGood(_ signIn: SecretHash, of user: UserID, at now: Timestamp) -> Bool {
        guard let account = try? account(user), !account.isDisabled else { return false }
        return credentials(of: user).contains { $0.secret == signIn && $0.isGood(at: now) }
    }

    /// The numbers of a user's good sessions and tokens; `nil` if no share of the user's may run.
    func goodSources(of user: UserID, at now: Timestamp) -> Set<Int64>? {
        guard let account = try? account(user), !account.isDisabled else { return nil }
        return Set(credentials(of: user).filter { $0.isSignIn && $0.isGood(at: now) }.map(\.secret.source))
    }

    /// The users who have expired sessions or tokens.
    func expired(at now: Timestamp) -> [UserID] {
        accounts(after: nil, limit: .max).map(\.user.id).filter { user in
            credentials(of: user).contains { $0.isSignIn && !$0.isGood(at: now) }
        }
    }
}
