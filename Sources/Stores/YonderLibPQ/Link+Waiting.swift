#if Postgres
import Dispatch
import Synchronization

// How code that blocks uses a link: the tables that both databases share, whose functions can't suspend. Never call it
// on a thread of Swift's or an event loop: all work of the process could wait for one answer. A failure is that of the
// statement. There are at most as many threads as links, since a transaction has a link to itself
// (`PostgreSQLAccountTests`).

extension Link {
    /// Runs a statement, and blocks the thread until it is answered: never one of Swift's.
    ///
    /// - Parameters:
    ///   - statement: What to run.
    ///   - parameters: Its parameters, in order.
    ///   - connection: The connection that it must run on.
    /// - Returns: The rows, once its transaction has ended.
    /// - Throws: ``LinkFailure``.
    package func wait(_ statement: Statement, _ parameters: [Parameter], on connection: Int)
        throws(LinkFailure) -> Unit.Answer
    {
        let answer = Mutex<Result<Unit.Answer, LinkFailure>?>(nil)
        let isAnswered = DispatchSemaphore(value: 0)
        send(statement, parameters, on: connection, .seconds(5)) { result in
            answer.withLock { $0 = result }
            isAnswered.signal()
        }
        isAnswered.wait()
        guard let answer = answer.withLock(\.self) else {
            throw LinkFailure(outcome: .unknown, message: "The statement has no answer.")
        }
        return try answer.get()
    }

    /// Runs `body`, which blocks, on a thread that isn't one of Swift's.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    package static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            // A serial queue has a thread of its own; those of a concurrent one are shared with Swift's.
            DispatchQueue(label: "postgresql transaction").async {
                continuation.resume(with: Result { try body() })
            }
        }
    }
}
#endif
