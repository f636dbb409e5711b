#if Postgres
import YonderLibPQ
package import YonderGeodesy
package import YonderModel
package import YonderRules
import YonderTables

// The functions of the port `ShareStore`: `Exchange` reads all running shares at the start and after lost frames, upkeep
// erases positions of those that are over. A failure is `unavailable`, and the caller goes on later; where the erasing
// stopped is in the share's row. Decisions are `ShareRules`' (decision 18, `StoreRule+Shares.swift`).

extension PostgreSQLStore: ShareStore {
    /// See ``ShareStore/shares()``.
    package func shares() async throws(SharingError) -> [Share] {
        try await rows(ShareTable.all)
    }

    /// See ``ShareStore/endedShares(among:)``.
    package func endedShares(among ids: [ShareID]) async throws(SharingError) -> [Share] {
        try await rows(ShareTable.ended(among: ids))
    }

    /// See ``ShareStore/feed(_:by:at:)``.
    package func feed(_ share: Share, by signIn: SecretHash, at now: Timestamp) async throws(SharingError)
        -> Bool
    {
        // Without a lock first: another node may have noted it.
        let stored = try await rows(ShareTable.share(share.id))
        guard ShareRules.fed(share.id, by: signIn.source, among: stored, at: now) != nil else {
            return ShareRules.isFed(share.id, by: signIn.source, among: stored)
        }
        return try await transaction(isRepeatable: true) { transaction in
            let isGood = try await FedShares.isGood(signIn, of: share.user, at: now).rows(transaction.query)
            guard !isGood.isEmpty else { throw SharingError.signInEnded }
            guard try await ChatTable.lock(share.chat, transaction) != nil else { return false }
            let shares = try await ShareTable.share(share.id).rows(transaction.query)
            guard let fed = ShareRules.fed(share.id, by: signIn.source, among: shares, at: now) else {
                return ShareRules.isFed(share.id, by: signIn.source, among: shares)
            }
            try await ChatTable.raiseVersion(of: share.chat, transaction)
            try await transaction.onThread { try ShareTable.save([fed], $0) }
            return true
        }
    }

    /// See ``ShareStore/eraseShares(at:limit:)``.
    @discardableResult
    package func eraseShares(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        guard let share = try await rows(ShareTable.nextToErase).first else { return 0 }
        return try await once { transaction in
            // The chat's row before its shares, as every other transaction locks them.
            guard try await ChatTable.lock(share.chat, transaction) != nil else { return 0 }
            let shares = try await ShareTable.shares(of: [share.chat]).rows(transaction.query)
                .filter { $0.user == share.user }
            guard var known = shares.first(where: { $0.id == share.id }), known.needsErasing else { return 1 }
            let step = try await MessageTable.erase(known, limit: max(1, limit), transaction)
            try await ChatTable.raiseVersion(of: share.chat, transaction)
            known.after = step.through
            known.isErased = !step.hasMore
            let forgotten = ShareRules.applying([known], to: shares, at: known.started).forgotten
            try await transaction.onThread { [known] in
                try ShareTable.save([known], removing: forgotten, $0)
            }
            if known.isErased { transaction.tell { $0.shares.append(known) } }
            return max(1, step.count)
        }
    }
}
#endif
