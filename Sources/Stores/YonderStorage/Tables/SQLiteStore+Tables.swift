package import YonderGeodesy
package import YonderModel
import YonderRules
import YonderSQLite
package import YonderTables

// What the functions of `YonderTables`, which both databases share, run on: reads on a reader, changes on the writer
// between two commits of submissions. A refusal rolls back and is thrown. A change that removes content must say so, as
// it is then written on a full disk, and erased from the files (decisions 15 and 41; the suites in
// `TestSupport/Stores`).

extension SQLiteStore: TableStore {
    /// See ``TableStore/rows(_:)``.
    package func rows<Value: Sendable>(_ query: TableQuery<Value>) async throws(SharingError) -> [Value] {
        try await file.read { try SQLiteTransaction($0).rows(query) }
    }

    /// See ``TableStore/transact(_:_:)``.
    package func transact<Value: Sendable>(
        _ work: TableWork,
        _ body: @escaping @Sendable (any TableTransaction) throws -> Value
    ) async throws(SharingError) -> Value {
        let isErasing = if case .erasing = work { true } else { false }
        defer { if isErasing { noteErasure() } }
        return try await write(isErasing: isErasing) { try body(SQLiteTransaction($0, $1)) }
    }

    /// See ``AccountStore/removeExpired(at:)``.
    package func removeExpired(at now: Timestamp) async throws(SharingError) {
        try await removeExpiredSecrets(at: now)
    }
}
