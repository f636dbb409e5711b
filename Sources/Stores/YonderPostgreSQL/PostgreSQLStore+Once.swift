#if Postgres
import YonderLibPQ
import Synchronization
import YonderModel
import YonderRules

// Work that must not be done twice although an answer may be lost: each transaction stores a token in `done_call`, and a
// repeat finds it and answers what it had computed. The functions of ports that write call it; `trim` of old tokens is
// upkeep. A lost connection is tried again; `unavailable` is thrown after the time that a transaction may take. A token
// must be stored in the transaction itself (decision 30, `PostgreSQLConnectionTests`).

extension PostgreSQLStore {
    /// Runs a statement that may run twice, as a removal may, in a transaction of its own.
    ///
    /// - Throws: `unavailable`.
    func run(_ statement: Statement, _ parameters: [Parameter] = []) async throws(SharingError) {
        _ = try await transaction(isRepeatable: true) { try await $0.execute(statement, parameters) }
    }

    /// Runs `body` in a transaction that is committed once, also if the connection is lost during a commit.
    ///
    /// The transaction keeps a random token. After a commit without an answer the next attempt looks for the token: if the
    /// token is there, the commit was made, and its result, and what the outlet receives, are those of then.
    ///
    /// - Parameters:
    ///   - token: The mark of the call; random, but in tests.
    ///   - body: Reads and writes. A ``SharingError`` that it throws rolls back, and is passed on.
    /// - Returns: The result of `body`, once the transaction was committed.
    /// - Throws: ``SharingError``: that of `body`, or `unavailable`.
    @discardableResult
    func once<Value: Sendable>(
        token: Int64 = .random(in: .min ... .max),
        _ body: @Sendable (Transaction) async throws -> Value
    ) async throws(SharingError) -> Value {
        let computed = Mutex<(value: Value, told: StoreCommit)?>(nil)
        return try await transaction(isRepeatable: true) { transaction in
            guard try await transaction.execute(DoneCall.insertion, [.int(token)]) == 1 else {
                guard let computed = computed.withLock(\.self) else { throw SharingError.storeFailed }
                transaction.tell { $0 = computed.told }
                return computed.value
            }
            let value = try await body(transaction)
            computed.withLock { $0 = (value, transaction.told) }
            return value
        }
    }
}

/// The table `done_call`: tokens of transactions that were committed.
enum DoneCall {
    static let insertion = Statement(
        name: "insert_done_call",
        sql: "INSERT INTO done_call (token) VALUES ($1) ON CONFLICT DO NOTHING"
    )

    /// No call waits for its answer for an hour.
    static let trimming = Statement(
        name: "trim_done_calls",
        sql: "DELETE FROM done_call WHERE time < now() - interval '1 hour'"
    )
}
#endif
