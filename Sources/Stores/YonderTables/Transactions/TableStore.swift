package import YonderModel
package import YonderRules

/// A store over one of the databases: all that a noun's tables need of it, and the ports that they give it.
///
/// `SQLiteStore` and `PostgreSQLStore` implement the two functions; each noun's files implement its port over them, once for
/// both. A port that is added to ``NounStore`` needs such an extension, and a conformance of `MemoryStore` in the tests
/// (decision 41, `CONTRIBUTING.md`).
///
/// Both functions must keep what they say of repeats; a further database implements them and passes the suite.
package protocol TableStore: NounStore {
    /// Reads with one statement, in a snapshot that has everything that was answered before.
    ///
    /// - Returns: The values of the rows, in the order of the statement, but for `nil`.
    /// - Throws: `unavailable`.
    func rows<Value: Sendable>(_ query: TableQuery<Value>) async throws(SharingError) -> [Value]

    /// Runs `body` in a transaction.
    ///
    /// - Parameters:
    ///   - work: Whether it may be committed twice, and whether it erases.
    ///   - body: Reads and writes; may run again if the database asks for that. A ``SharingError`` that it throws rolls back.
    /// - Returns: The result of `body`, once the transaction was committed.
    /// - Throws: ``SharingError``: that of `body`, or `unavailable`.
    func transact<Value: Sendable>(
        _ work: TableWork,
        _ body: @escaping @Sendable (any TableTransaction) throws -> Value
    ) async throws(SharingError) -> Value
}

extension TableStore {
    /// The first row of a query, or `nil`.
    func first<Value: Sendable>(_ query: TableQuery<Value>) async throws(SharingError) -> Value? {
        try await rows(query).first
    }
}

/// The promise that a store must keep for a transaction whose commit isn't answered.
package enum TableWork: Sendable {
    /// It is committed once, also if the answer to a commit is lost.
    case once
    /// As `once`, and it may remove content whose bytes mustn't stay in a file.
    case erasing
    /// It finds what it did, and may be committed twice.
    case repeatable
}
