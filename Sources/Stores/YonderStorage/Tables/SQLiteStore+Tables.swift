package import YonderGeodesy
package import YonderModel
import YonderRules
import YonderSQLite
package import YonderTables

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
