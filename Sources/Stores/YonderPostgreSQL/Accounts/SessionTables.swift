#if Postgres
import YonderGeodesy
import YonderLibPQ
import YonderModel
import YonderRules

/// A session with what belongs to it, in the tables `credential`, `known_network` and `invitation`.
enum SessionTables {
    /// See ``AccountStore/startSession(_:by:)``.
    static func start(_ start: SessionStart, by proof: SessionStart.Proof, _ transaction: Transaction)
        async throws -> SessionStart.Outcome
    {
        let (user, contact) = try await redeem(proof, at: start.time, transaction)
        let account = try await AccountTable.locked(user, transaction)
        guard !account.isDisabled else { throw SharingError.accountDisabled }
        try await CredentialTable.insert(start.credential(of: user), transaction)
        try await SightingTable.noteNetwork(start.subnet, of: user, at: start.time, transaction)
        var known: SecretHash?
        if let sent = start.device,
            try await CredentialTable.isDevice(sent, of: user, at: start.time, transaction)
        {
            known = sent
        }
        try await CredentialTable.insert(start.device(known ?? start.newDevice, of: user), transaction)
        try await CredentialTable.limitDevices(of: user, transaction)
        return SessionStart.Outcome(user: account.user, knewDevice: known != nil, contact: contact)
    }

    /// Uses up what entitles to a session.
    private static func redeem(
        _ proof: SessionStart.Proof,
        at now: Timestamp,
        _ transaction: Transaction
    ) async throws -> (user: UserID, contact: User?) {
        switch proof {
        case .password(let user): return (user, nil)
        case .link(let link): return (try await CredentialTable.redeem(link, at: now, transaction), nil)
        case .invitation(let secret, let account):
            let parameters: [Parameter] = [.bytes(secret.bytes), .int(now.milliseconds)]
            let row = try await transaction.query(InvitationTable.open, parameters).first
            _ = try InvitationTable.invitation(row, secret)
            try await AccountTable.insert(account, transaction)
            let user = account.user.id
            return (user, try await InvitationTable.accept(secret, by: user, at: now, transaction))
        }
    }
}
#endif
