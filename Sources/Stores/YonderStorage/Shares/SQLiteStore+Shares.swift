package import YonderGeodesy
package import YonderModel
import YonderRules
import YonderSQLite

extension SQLiteStore: ShareStore {
    /// See ``ShareStore/shares()``.
    package func shares() async throws(SharingError) -> [Share] {
        try await file.read { try ShareRow.all(in: $0) }
    }

    /// See ``ShareStore/eraseShares(at:limit:)``.
    @discardableResult
    package func eraseShares(at now: Timestamp, limit: Int) async throws(SharingError) -> Int {
        guard try await file.read({ try ShareRow.nextToErase(in: $0) }) != nil else { return 0 }
        return try await erase { database, writer in
            try writer.eraseShares(limit: max(1, limit), in: database)
        }
    }
}
