#if Postgres
import YonderLibPQ
import YonderModel
import YonderRules
import YonderTables

/// A transaction whose statements block the thread until they are answered: PostgreSQL's side of `TableTransaction`.
///
/// `Transaction.onThread(_:)` makes one for the tables of `YonderTables`, and for shares, on a thread of its own. A
/// statement that fails throws, and the body must pass that on; `TableConflict` asks for another attempt. How a `TableValue`
/// becomes a parameter, and a `TableRow` a row, is at the end of this file, and must agree with `SQLiteTransaction`
/// (decision 41; both pass the suite in `TestSupport/Stores`).
///
/// A further type of value needs a branch here and in `SQLiteTransaction`.
struct BlockingTransaction: TableTransaction {
    fileprivate let transaction: Transaction

    func rows<Value>(
        _ statement: TableStatement,
        _ parameters: [TableValue],
        _ value: (any TableRow) throws -> Value?
    ) throws -> [Value] {
        try wait(statement, parameters).rows.compactMap { try value($0) }
    }

    @discardableResult
    func execute(_ statement: TableStatement, _ parameters: [TableValue], duplicate: SharingError?) throws
        -> Int
    {
        do throws(LinkFailure) {
            return try wait(statement, parameters).affected
        } catch {
            if let duplicate, error.isDuplicate { throw duplicate }
            throw error
        }
    }

    func tell(_ change: (inout StoreCommit) -> Void) { transaction.tell(change) }

    func insert(_ chat: Chat) throws {
        for (statement, parameters) in ChatTable.inserting(chat) {
            _ = try transaction.wait(statement, parameters)
        }
    }

    /// Done when the body has returned: the code for chats doesn't block.
    func endShares(_ end: SignInEnd) { transaction.end(end) }

    /// Nothing: a process notices the version.
    func blocksChanged(of chat: ChatID) {}

    private func wait(_ statement: TableStatement, _ parameters: [TableValue]) throws(LinkFailure)
        -> Unit.Answer
    {
        try transaction.wait(Statement(statement), parameters.map(Parameter.init))
    }
}

extension Transaction {
    /// Runs `body`, which blocks, on a thread that isn't one of Swift's.
    ///
    /// A transaction has its link alone, so there are at most as many such threads as links.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    func onThread<Value: Sendable>(
        _ body: @escaping @Sendable (any TableTransaction) throws -> Value
    ) async throws -> Value {
        try await Link.onThread { try run(body) }
    }
}

extension Transaction {
    private func run<Value>(_ body: (any TableTransaction) throws -> Value) throws -> Value {
        do {
            return try body(BlockingTransaction(transaction: self))
        } catch is TableConflict {
            throw LinkFailure(outcome: .refused(SQLState("40001")), message: "The same was done at once.")
        }
    }
}

extension TableQuery {
    /// Runs the query where `query` does.
    func rows(_ query: Query) async throws -> [Value] {
        try await query(Statement(statement), parameters.map(Parameter.init)).compactMap { value($0) }
    }
}

extension Row: TableRow {}

extension Statement {
    /// The text of a statement in PostgreSQL's dialect.
    init(_ statement: TableStatement) {
        self.init(name: statement.name, sql: statement.postgreSQL)
    }
}

extension Parameter {
    /// A value as PostgreSQL's.
    init(_ value: TableValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .text(let text): self = .text(text)
        case .bytes(let bytes): self = .bytes(bytes)
        case .ints(let values): self = .ints(values)
        case .texts(let texts): self = .texts(texts)
        }
    }
}
#endif
