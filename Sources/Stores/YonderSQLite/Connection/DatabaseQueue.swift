import CSQLite
import Dispatch
import Synchronization

/// A connection and the queue on which it is used, one caller after the other.
///
/// A caller may wait for it on any thread but an event loop's, or in a task.
///
/// `ReaderPool`, `DatabasePool`, `Checkpointer`, `StoreBackup`, the gazetteer and the outbox open one each. A call
/// inside `body` on the same queue waits forever. After ``close()`` every call is `misuse`. A canceled read is
/// interrupted, and never a later one on the connection, which ``InterruptibleRead`` holds: this must stay
/// (`DatabaseTests`, `LongReadTests`; decision 42).
package final class DatabaseQueue: @unchecked Sendable {
    // Safe because the connection is used on the queue alone.
    private let queue: DispatchQueue
    private var database: Database?

    /// Opens a file, or a database in memory if no path is given.
    ///
    /// - Throws: ``DatabaseError``.
    package init(path: String = ":memory:", settings: DatabaseSettings = DatabaseSettings()) throws {
        queue = DispatchQueue(label: settings.label)
        database = try Database(path: path, settings: settings)
    }

    /// Runs `body` on the connection, in no transaction, and waits for it.
    ///
    /// - Throws: The errors of `body`; ``DatabaseError`` with code `misuse` after ``close()``.
    package func inDatabase<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.sync { try body(open) }
    }

    /// Runs `body` in one snapshot, and waits for it.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try inDatabase { database in try database.transaction(.deferred) { try body(database) } }
    }

    /// Runs `body` in a transaction that may write, and waits for it.
    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try inDatabase { database in try database.transaction(.immediate) { try body(database) } }
    }

    /// Runs `body` on the connection later, in no transaction.
    package func enqueue(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void) {
        queue.async { [self] in body(Result { try open }) }
    }

    /// Runs `body` on the connection, in no transaction.
    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue { database in continuation.resume(with: Result { try body(database.get()) }) }
        }
    }

    /// Runs `body` in one snapshot; a canceled task ends the read.
    ///
    /// - Throws: The errors of `body`; `CancellationError`, or ``DatabaseError`` with SQLite's code of an interruption.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let read = InterruptibleRead()
        return try await withTaskCancellationHandler {
            try await perform { database in
                try read.run(database) { try database.transaction(.deferred) { try body(database) } }
            }
        } onCancel: {
            read.cancel()
        }
    }

    /// Runs `body` in a transaction that may write.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await perform { database in try database.transaction(.immediate) { try body(database) } }
    }

    /// Closes the connection after the callers that wait; later ones are refused.
    ///
    /// - Throws: ``DatabaseError`` with code `busy` while a statement is in use.
    package func close() throws {
        try queue.sync {
            try database?.close()
            database = nil
        }
    }

    private var open: Database {
        get throws {
            guard let database else {
                throw DatabaseError.closed
            }
            return database
        }
    }
}

/// A read that another thread may end, but none that comes after it on the same connection.
private final class InterruptibleRead: Sendable {
    private struct State {
        var isCanceled = false
        /// The address of the connection, which stays open until the read has ended.
        var running: UInt?
    }

    private let state = Mutex(State())

    func run<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
        let handle = UInt(bitPattern: database.handle)
        let isCanceled = state.withLock { state in
            if !state.isCanceled { state.running = handle }
            return state.isCanceled
        }
        guard !isCanceled else { throw CancellationError() }
        defer { state.withLock { $0.running = nil } }
        return try body()
    }

    func cancel() {
        state.withLock { state in
            state.isCanceled = true
            if let running = state.running { sqlite3_interrupt(OpaquePointer(bitPattern: running)) }
        }
    }
}
