#if Postgres
package import YonderGeodesy
import YonderLibPQ
package import YonderModel
import YonderRules
package import YonderTables

// What the functions of `YonderTables`, which both databases share, run on: reads on a reader, changes in a transaction
// on a thread of their own, as the tables' code blocks. A refusal rolls back and is thrown; a lost connection is tried
// again, once the call is known not to be done (`DoneCall`). It also removes what has expired (decision 41; the suites
// in `TestSupport/Stores`).

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
        case .once, .erasing: try await once { try await Self.run(body, $0) }
        case .repeatable: try await transaction(isRepeatable: true) { try await Self.run(body, $0) }
        }
    }

    private static func run<Value: Sendable>(
        _ body: @escaping @Sendable (any TableTransaction) throws -> Value,
        _ transaction: Transaction
    ) async throws -> Value {
        let value = try await transaction.onThread(body)
        for end in transaction.takeEnds() { try await ShareEnding.perform(end, transaction) }
        return value
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
