import GRDB
import YonderGeodesy
import YonderModel
import YonderRules

/// A session with what belongs to it, in the tables `credential`, `knownNetwork` and `invitation`.
enum SessionRow {
    /// See ``AccountStore/startSession(_:by:)``.
    static func start(_ start: SessionStart, by proof: SessionStart.Proof, in database: Database) throws
        -> SessionStart.Outcome
    {
        let (user, contact) = try redeem(proof, at: start.time, in: database)
        let account = try AccountRow.account(user, in: database)
        guard !account.isDisabled else { throw SharingError.accountDisabled }
        try CredentialRow.insert(start.credential(of: user), into: database)
        try SightingRow.noteNetwork(start.subnet, of: user, at: start.time, in: database)
        let sent = try start.device.flatMap {
            try CredentialRow.credential($0, kind: .device, at: start.time, in: database)
        }
        let known = sent.flatMap { $0.user == user ? $0.secret : nil }
        try CredentialRow.insert(start.device(known ?? start.newDevice, of: user), into: database)
        let devices = try CredentialRow.credentials(of: user, in: database).filter { $0.kind == .device }
        for old in devices.dropFirst(SessionStart.deviceLimit) {
            try CredentialRow.remove(old.secret, of: user, in: database)
        }
        return SessionStart.Outcome(user: account.user, knewDevice: known != nil, contact: contact)
    }

    /// Uses up what entitles to a session.
    private static func redeem(_ proof: SessionStart.Proof, at now: Timestamp, in database: Database) throws
        -> (user: UserID, contact: User?)
    {
        switch proof {
        case .password(let user): return (user, nil)
        case .link(let link): return (try CredentialRow.redeem(link, at: now, in: database), nil)
        case .invitation(let secret, let account):
            _ = try InvitationRow.invitation(secret, at: now, in: database)
            try AccountRow.insert(account, into: database)
            let user = account.user.id
            return (user, try InvitationRow.accept(secret, by: user, at: now, in: database))
        }
    }
}
