package import YonderGeodesy
package import YonderModel
package import YonderRules
import YonderTables

// The functions of the port `ShareStore`: the exchange reads all running shares at the start, upkeep erases positions of
// those that are over, as an erasing write, which a full disk doesn't refuse. Errors are the port's
// (`StoreRule+Shares.swift`).

extension SQLiteStore: ShareStore {
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
        try await write { database, writer in try writer.feed(share, by: signIn, at: now, in: database) }
    }

    /// See ``ShareStore/eraseShares(at:limit:)``.
    @discardableResult
    package func eraseShares(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        guard try await !rows(ShareTable.nextToErase).isEmpty else { return 0 }
        return try await erase { database, writer in
            try writer.eraseShares(limit: max(1, limit), in: database)
        }
    }
}
