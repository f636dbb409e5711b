import Dispatch
package import YonderModel
import YonderSQLite
import YonderTables

// The preparation of a folder for a migration from it, and the mark of a folder into which a migration hasn't ended.
// `FolderEnd` calls them around a migration. A folder with the mark is opened by nothing but another migration's end, so
// a server can't run on half of the data: the mark must be set before the first row, and removed last. It is the key
// `incomplete` in `upkeep` (`MigrationTests`).
extension SQLiteStore {
    /// Moves every recent message to its chat: afterward the table `message` has all messages.
    ///
    /// - Throws: `unavailable`.
    package func settle() async throws(SharingError) {
        try await write { database, writer in
            for chat in writer.unsettled { try writer.settle(chat, in: database) }
        }
    }

    /// Marks the folder as the target of a migration that hasn't ended, or removes the mark.
    ///
    /// - Throws: `unavailable`.
    package func setIncomplete(_ isIncomplete: Bool) async throws(SharingError) {
        try await write { database, _ in
            try database.execute(
                sql: "INSERT OR REPLACE INTO upkeep (name, value) VALUES ('incomplete', ?)",
                arguments: [isIncomplete]
            )
            if isIncomplete { try SQLiteTransaction(database).execute(Clearing.again) }
        }
    }

    /// Checks that the folder has no mark of a migration; closes a folder that has it.
    ///
    /// - Throws: ``StorageError`` with code `incomplete` for a folder with the mark.
    func checkComplete() throws(StorageError) {
        let isIncomplete = file.queue.sync {
            try? file.guarded {
                try Bool.fetchOne($0, sql: "SELECT value FROM upkeep WHERE name = 'incomplete'")
            }
        }
        guard isIncomplete.flatMap(\.self) == true else { return }
        try? close()
        throw StorageError(
            .incomplete,
            """
            \(file.folder) isn't complete: yonder migrate was interrupted, or found differences. Remove the folder and migrate \
            again.
            """
        )
    }
}
