package import YonderModel
package import YonderRules

/// A transaction that has begun, in either database.
///
/// `TableStore.transact(_:_:)` passes one to its body, and the code that writes messages passes one to `ShareTable`; `SQLiteTransaction` and
/// `BlockingTransaction` implement it. It blocks until each answer, belongs to one thread that isn't Swift's, and must not
/// be used after the body has returned. In PostgreSQL the isolation is READ COMMITTED, so lock a row before deciding by it;
/// in SQLite there is one writer.
///
/// A body that throws is rolled back. It may run again from its beginning, so it changes nothing but the database and what
/// it tells. Locks are taken in one order, a chat's row before all that belongs to the chat, or two transactions wait for
/// each other.
///
/// The suites in `TestSupport/Stores` run every function of a port on both databases.
package protocol TableTransaction {
    /// Runs a statement, and reads its rows.
    ///
    /// - Returns: The values of the rows, but for `nil`.
    /// - Throws: What the database throws; the transaction can then only be rolled back.
    func rows<Value>(
        _ statement: TableStatement,
        _ parameters: [TableValue],
        _ value: (any TableRow) throws -> Value?
    ) throws -> [Value]

    /// Runs a statement without rows.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - parameters: The values of its parameters, in order.
    ///   - duplicate: What is thrown if it would write a key for the second time.
    /// - Returns: How many rows were inserted, changed or removed.
    /// - Throws: `duplicate`, or what the database throws; the transaction can then only be rolled back.
    @discardableResult
    func execute(_ statement: TableStatement, _ parameters: [TableValue], duplicate: SharingError?) throws
        -> Int

    /// Adds to what the outlet receives once the transaction is committed; nothing is sent if it isn't.
    func tell(_ change: (inout StoreCommit) -> Void)

    /// Writes a new chat with its participants, in the form that the store's own code for chats has.
    func insert(_ chat: Chat) throws

    /// Ends shares of a person in this transaction, each with its `Share` message, by the store's own code for chats.
    ///
    /// The caller has locked the account. An implementation locks the chats by their ids' order, and may do all of it when the
    /// transaction's body has returned.
    func endShares(_ end: SignInEnd) throws

    /// Called by `BlockTable` when a block between the two people of a chat was made or removed, after the chat's
    /// `version` was raised.
    ///
    /// An implementation must drop what its process has in memory about who may write in the chat: SQLite's does so here.
    /// PostgreSQL's does nothing, because its cache compares the version at each message.
    func blocksChanged(of chat: ChatID) throws
}

extension TableTransaction {
    /// Runs a statement without rows.
    ///
    /// - Returns: How many rows were inserted, changed or removed.
    /// - Throws: What the database throws; the transaction can then only be rolled back.
    @discardableResult
    package func execute(_ statement: TableStatement, _ parameters: [TableValue] = []) throws -> Int {
        try execute(statement, parameters, duplicate: nil)
    }

    /// Runs a query.
    ///
    /// - Throws: What the database throws; the transaction can then only be rolled back.
    package func rows<Value>(_ query: TableQuery<Value>) throws -> [Value] {
        try rows(query.statement, query.parameters, query.value)
    }

    /// The first row of a query, or `nil`.
    ///
    /// - Throws: What the database throws; the transaction can then only be rolled back.
    package func first<Value>(_ query: TableQuery<Value>) throws -> Value? { try rows(query).first }

    /// The number that a statement answers; 0 without a row.
    ///
    /// - Throws: What the database throws; the transaction can then only be rolled back.
    package func number(_ statement: TableStatement, _ parameters: [TableValue] = []) throws -> Int64 {
        try rows(statement, parameters) { $0.int(0) }.first ?? 0
    }

    /// Whether a statement answers a row.
    ///
    /// - Throws: What the database throws; the transaction can then only be rolled back.
    package func has(_ statement: TableStatement, _ parameters: [TableValue]) throws -> Bool {
        try !rows(statement, parameters) { _ in true }.isEmpty
    }
}
