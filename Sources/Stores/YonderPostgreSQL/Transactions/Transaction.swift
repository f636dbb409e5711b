#if Postgres
import YonderLibPQ
import Synchronization
import YonderModel
import YonderRules

/// A transaction that has begun, on one connection.
///
/// Isolation is READ COMMITTED: each statement sees what others committed before it, so lock a row before deciding by it.
///
/// `PostgreSQLStore.transaction`, its `once` and `ChatWriter` begin one by ``attempt(on:outlet:_:)``, and pass it to a body,
/// which runs its statements one after another. A statement that fails, also because the connection was lost, throws; the
/// body must pass that on, and its caller decides by ``End`` whether to try again. After the end every further statement
/// fails.
///
/// What the outlet receives is sent after the commit and before the caller is answered: this must stay (decision 36).
struct Transaction: Sendable {
    private final class Facts: Sendable {
        let commit = Mutex(StoreCommit())
        let ends = Mutex<[SignInEnd]>([])
    }

    private let link: Link
    private let connection: Int
    private let facts = Facts()

    private init(link: Link, connection: Int) {
        self.link = link
        self.connection = connection
    }

    /// Adds to what the outlet receives, if the transaction is committed.
    func tell(_ change: (inout StoreCommit) -> Void) {
        facts.commit.withLock { change(&$0) }
    }

    /// Has shares end before the transaction is committed: see ``takeEnds()``.
    func end(_ shares: SignInEnd) {
        facts.ends.withLock { $0.append(shares) }
    }

    /// The shares that are to end and of which nobody has taken care yet.
    func takeEnds() -> [SignInEnd] {
        facts.ends.withLock { ends in
            defer { ends = [] }
            return ends
        }
    }

    /// The changes that the outlet receives if the transaction is committed.
    var told: StoreCommit { facts.commit.withLock(\.self) }

    /// Runs a statement.
    ///
    /// - Returns: The rows.
    /// - Throws: ``LinkFailure``; the transaction can then only be rolled back.
    @discardableResult
    func query(_ statement: Statement, _ parameters: [Parameter] = []) async throws -> [Row] {
        try await link.run(statement, parameters, on: connection).rows
    }

    /// Runs a statement without rows.
    ///
    /// - Returns: How many rows were inserted, changed or removed.
    /// - Throws: ``LinkFailure``; the transaction can then only be rolled back.
    @discardableResult
    func execute(_ statement: Statement, _ parameters: [Parameter] = []) async throws -> Int {
        try await link.run(statement, parameters, on: connection).affected
    }

    /// Runs a statement, and blocks the thread until it is answered: see ``onThread(_:)``.
    ///
    /// - Throws: ``LinkFailure``; the transaction can then only be rolled back.
    func wait(_ statement: Statement, _ parameters: [Parameter]) throws(LinkFailure) -> Unit.Answer {
        try link.wait(statement, parameters, on: connection)
    }

    /// The end of an attempt.
    enum End<Value> {
        case committed(Value)
        case refused(SharingError)
        /// Nothing was kept.
        case undone(LinkFailure)
        /// It was committed, or not.
        case unknown(LinkFailure)
    }

    /// Runs `body` once in a transaction of its own, and passes what it committed to the outlet.
    ///
    /// - Returns: The end: a ``SharingError`` of `body` rolls back.
    static func attempt<Value>(
        on link: Link,
        outlet: CommitOutlet,
        _ body: (Transaction) async throws -> Value
    ) async -> End<Value> {
        var begun: Transaction?
        do {
            let connection = try await link.run(begin).connection
            let transaction = Transaction(link: link, connection: connection)
            begun = transaction
            let value = try await body(transaction)
            begun = nil
            do throws(LinkFailure) {
                _ = try await link.run(.commit, on: connection)
            } catch {
                if case .refused = error.outcome { return .undone(error) }
                return .unknown(error)
            }
            outlet.send(transaction.told)
            return .committed(value)
        } catch {
            // Without a connection, the server rolls back by itself.
            if let begun { _ = try? await begun.query(rollback) }
            if let refusal = error as? SharingError { return .refused(refusal) }
            let failure = error as? LinkFailure
            return .undone(failure ?? LinkFailure(outcome: .unsent, message: "\(error)"))
        }
    }

    private static let begin = Statement(name: "begin", sql: "BEGIN")
    private static let rollback = Statement(name: "rollback", sql: "ROLLBACK")
}
#endif
