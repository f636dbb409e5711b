import YonderGeodesy
import YonderModel
import YonderRules

/// A session with what belongs to it, in the tables `credential`, `known_network` and `invitation`.
///
/// `TableStore+SignIns.swift` calls it in a transaction that is committed once. All or nothing: if any part is refused, the
/// link or the invitation stays good, and no account is made. What a session is, and for how long, is in `SessionStart`;
/// which proof is enough is decided by `Accounts`, which has checked the password before: a session starts only if the
/// account still has the version of that check.
///
/// That it is all or nothing must stay (`StoreRule+Accounts.swift`, `StoreRule+Operators.swift`).
enum SessionTables {
    /// See ``AccountStore/startSession(_:by:)``.
    static func start(
        _ start: SessionStart,
        by proof: SessionStart.Proof,
        _ transaction: any TableTransaction
    )
        throws -> SessionStart.Outcome
    {
        let (user, contact) = try redeem(proof, at: start.time, transaction)
        let account = try AccountTable.locked(user, transaction)
        guard !account.isDisabled else { throw SharingError.accountDisabled }
        if case .password(_, let version) = proof, account.version != version {
            throw SharingError.signInOvertaken
        }
        try CredentialTable.insert(start.credential(of: user), transaction)
        try SightingTable.noteNetwork(start.subnet, of: user, at: start.time, transaction)
        let known = try start.device.flatMap { sent in
            let query = CredentialTable.signIn(sent, kind: .device, at: start.time)
            return try transaction.first(query)?.credential.user == user ? sent : nil
        }
        try CredentialTable.insert(start.device(known ?? start.newDevice, of: user), transaction)
        try CredentialTable.limitDevices(of: user, transaction)
        return SessionStart.Outcome(user: account.user, knewDevice: known != nil, contact: contact)
    }

    /// Uses up what entitles to a session.
    private static func redeem(
        _ proof: SessionStart.Proof,
        at now: Timestamp,
        _ transaction: any TableTransaction
    ) throws -> (user: UserID, contact: User?) {
        switch proof {
        case .password(let user, _): return (user, nil)
        case .link(let link): return (try CredentialTable.redeem(link, at: now, transaction), nil)
        case .invitation(let secret, let account):
            guard try transaction.first(InvitationTable.invitation(secret, at: now)) != nil else {
                throw SharingError.invitationUsed
            }
            try AccountTable.insert(account, transaction)
            let user = account.user.id
            return (user, try InvitationTable.accept(secret, by: user, at: now, transaction))
        }
    }
}
