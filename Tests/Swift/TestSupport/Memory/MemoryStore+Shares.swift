package import YonderGeodesy
package import YonderModel
package import YonderRules

extension MemoryStore {
    /// See ``ShareStore/endedShares(among:)``.
    package func endedShares(among ids: [ShareID]) async throws(SharingError) -> [Share] {
        try chats { $0.shares.filter { $0.end != nil && ids.contains($0.id) } }
    }

    /// See ``ShareStore/feed(_:by:at:)``.
    package func feed(_ share: Share, by signIn: SecretHash, at now: Timestamp) async throws(SharingError)
        -> Bool
    {
        try await commit { state, _ throws(SharingError) in
            let isGood = state.accounts.isGood(signIn, of: share.user, at: now)
            return try state.chats.feed(share, by: signIn.source, isSignedIn: isGood, at: now)
        }
    }
}

// The end of shares with their sign-ins.
extension MemoryStore {
    /// Removes what has expired as one commit, with the shares that end by it.
    func removeExpired(_ now: Timestamp) async {
        try? await commit { state, commit in
            let users = state.accounts.expired(at: now)
            state.accounts.removeExpired(at: now)
            for user in users { state.endShares(of: user, at: now, &commit) }
        }
    }

    /// Starts what signs a user in, and removes the user's expired credentials, with the shares that end by it.
    func addSignIn<Value: Sendable>(
        at now: Timestamp,
        under warrant: Warrant = .server,
        _ body: (inout MemoryAccounts) throws(SharingError) -> (value: Value, user: UserID)
    ) async throws(SharingError) -> Value {
        interrupt(warrant)
        return try await commit { state, commit throws(SharingError) in
            try state.judge(warrant)
            let expired = state.accounts.expired(at: now)
            let (value, user) = try body(&state.accounts)
            if expired.contains(user) { state.endShares(of: user, at: now, &commit) }
            return value
        }
    }
}

extension MemoryStore.State {
    /// Ends the shares that none of a user's sign-ins feeds any more.
    mutating func endShares(of user: UserID, at now: Timestamp, _ commit: inout StoreCommit) {
        let running = chats.shares.filter { $0.user == user && $0.end == nil }.map(\.chat)
        let good = accounts.goodSources(of: user, at: now)
        chats.endShares(SignInEnd(of: user, chats: running, good: good, at: now), &commit)
    }
}
