import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

// What happens to shares without a submission of their person, in a transaction of the writer. A failure rolls back, in
// memory, too.
extension ChatWriter {
    /// Ends the shares that sign-ins of their person fed and that none of the others feeds.
    ///
    /// A share that can't be ended, as its chat isn't there, doesn't keep the sign-ins from ending.
    func endShares(_ end: SignInEnd, in database: Database) throws {
        for chat in end.chats {
            do {
                let due = end.due(among: try entry(chat, in: database).shares[end.user] ?? [])
                for submission in due { _ = try submit(submission, in: database) }
            } catch is SharingError {
                continue
            }
        }
    }

    /// Notes that a sign-in feeds a share.
    ///
    /// - Returns: Whether the share has the sign-in now.
    /// - Throws: `notSignedIn` if the sign-in is good no longer.
    func feed(_ share: Share, by signIn: SecretHash, at now: Timestamp, in database: Database) throws -> Bool
    {
        let entry = try entry(share.chat, in: database)
        let shares = entry.shares[share.user] ?? []
        guard let fed = ShareRules.fed(share.id, by: signIn.source, among: shares, at: now) else {
            return ShareRules.isFed(share.id, by: signIn.source, among: shares)
        }
        let isGood = try SQLiteTransaction(database).first(FedShares.isGood(signIn, of: share.user, at: now))
        guard isGood != nil else { throw SharingError.signInEnded }
        touch(share.chat)
        try save([fed], in: entry, at: now, database)
        return true
    }
}
