import Dispatch
import GRDB
package import YonderModel
import YonderSQLite

// What a migration from or into a folder needs besides the tables.
extension SQLiteStore {
    /// Moves every message to its chat: afterwards `message` has all of them.
    ///
    /// - Throws: `unavailable`.
    package func settle() async throws(SharingError) {
        try await write { database, writer in
            for chat in writer.unsettled { try writer.settle(chat, in: database) }
        }
    }

    /// Marks the folder as the target of a migration that hasn't ended, or takes the mark away.
    ///
    /// - Throws: `unavailable`.
    package func setIncomplete(_ isIncomplete: Bool) async throws(SharingError) {
        try await write { database, _ in
            try database.execute(
                sql: "INSERT OR REPLACE INTO upkeep (name, value) VALUES ('incomplete', ?)",
                arguments: [isIncomplete]
            )
        }
    }

    /// Closes a folder that has the mark.
    ///
    /// - Throws: ``StorageError`` with code `incomplete` if it has.
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
