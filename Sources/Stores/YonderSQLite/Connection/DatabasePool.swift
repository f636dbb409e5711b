import Synchronization

/// A connection that writes a database in WAL mode, and up to so many that read it beside.
///
/// `SQLiteFile` opens one, writes on its own queue and reads from any task. A read waits for a reader, in order; beyond
/// the limit of those that wait it is refused. WAL mode must stay, since readers would otherwise stop the writer.
/// ``Database/rewriteVersion()`` makes a commit without a change, which erasing needs for its log (`DatabasePoolTests`;
/// decision 42). The number of readers is the caller's.
package final class DatabasePool: Sendable {
    private let writer: DatabaseQueue
    private let readers: ReaderPool

    /// Opens the writer, and sets WAL mode; a reader is opened when all others are in use.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - settings: Those of each connection; readers can't write.
    ///   - readerCount: The most readers.
    /// - Throws: ``DatabaseError``.
    init(path: String, settings: DatabaseSettings, readerCount: Int) throws {
        writer = try DatabaseQueue(path: path, settings: settings)
        readers = ReaderPool(path: path, settings: settings, limit: readerCount)
        try writer.inDatabase { database in
            guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                throw DatabaseError(resultCode: .cannotOpen, message: "\(path) can't have a write-ahead log.")
            }
            // A reader can't open a database whose log isn't there: a commit makes the log.
            if FileSize.bytes(of: path + "-wal") ?? 0 == 0 { try database.rewriteVersion() }
        }
    }

    /// Runs `body` on the writer, in no transaction, and waits for it.
    package func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writer.inDatabase(body)
    }

    /// Runs `body` on the writer, in no transaction.
    package func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writer.perform(body)
    }

    /// Runs `body` on a reader, in one snapshot.
    ///
    /// - Throws: The errors of `body`; ``DatabaseError`` with code `misuse` after ``close()``; ``SharingError`` with code
    ///   `unavailable` if too many reads wait.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            readers.lend { database in
                continuation.resume(
                    with: Result {
                        let database = try database.get()
                        return try database.transaction(.deferred) { try body(database) }
                    }
                )
            }
        }
    }

    /// Closes every connection, after the reads that have begun or wait; later ones are refused.
    func close() throws {
        try readers.close()
        try writer.close()
    }
}

extension Database {
    /// Commits an unchanged value.
    func rewriteVersion() throws {
        let version = try Int.fetchOne(self, sql: "PRAGMA user_version") ?? 0
        try execute(sql: "PRAGMA user_version = \(version)")
    }
}
