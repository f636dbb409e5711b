#if Postgres
package import YonderGeodesy
import YonderLibPQ
package import YonderModel
import YonderRules
package import YonderTables

extension PostgreSQLStore: TableStore {
    /// See ``TableStore/rows(_:)``.
    package func rows<Value: Sendable>(_ query: TableQuery<Value>) async throws(SharingError) -> [Value] {
        let rows = try await read(Statement(query.statement), query.parameters.map(Parameter.init))
        return rows.compactMap { query.value($0) }
    }

    /// See ``TableStore/transact(_:_:)``.
    package func transact<Value: Sendable>(
        _ work: TableWork,
        _ body: @escaping @Sendable (any TableTransaction) throws -> Value
    ) async throws(SharingError) -> Value {
        switch work {
        case .once, .erasing: try await once { try await $0.onThread(body) }
        case .repeatable: try await transaction(isRepeatable: true) { try await $0.onThread(body) }
        }
    }

    /// See ``AccountStore/removeExpired(at:)``.
    package func removeExpired(at now: Timestamp) async throws(SharingError) {
        try await removeExpiredSecrets(at: now)
        try await run(DoneCall.trimming)
        try await trimLimits()
        try await trimRemovals()
    }
}
#endif
