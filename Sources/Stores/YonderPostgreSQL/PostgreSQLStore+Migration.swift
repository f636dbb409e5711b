#if Postgres
package import YonderModel
import YonderTables
import YonderLibPQ

// The mark of a database into which a migration hasn't ended.
// `DatabaseEnd` sets the mark before the first row and removes it last; opening the store refuses a database that has it
// (`MigrationTests`).
extension PostgreSQLStore {
    /// Marks the database as the target of a migration that hasn't ended, or removes the mark.
    ///
    /// - Throws: `unavailable`.
    package func setIncomplete(_ isIncomplete: Bool) async throws(SharingError) {
        try await transaction(isRepeatable: true) { transaction in
            let change = Statement(once: "UPDATE schema SET is_incomplete = $1")
            try await transaction.execute(change, [.bool(isIncomplete)])
            if isIncomplete { try await transaction.onThread { _ = try $0.execute(Clearing.again) } }
        }
    }
}
#endif
