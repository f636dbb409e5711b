#if Postgres
import Logging
import YonderLibPQ
import YonderModel
import YonderRules

/// Runs transactions that change the tables themselves: over a connection of upkeep, whose statements may take hours.
///
/// A lock that another connection holds is waited for as long as that connection has it, with a line of the log every half
/// minute, and in tries of ``lockTimeout``: requests that need the table wait behind a try, never behind the whole wait. A
/// lost connection is waited for ``patience``. If this process ends, PostgreSQL ends the statement within seconds and keeps
/// nothing of the transaction, so that the next start makes the step again.
struct SchemaConnection: Sendable {
    /// How long a try waits for a lock, in milliseconds.
    static let lockTimeout = 100

    /// How long to wait for a connection.
    private static let patience = Duration.seconds(10)

    /// The time between two tries.
    private static let pause = Duration.milliseconds(500)

    /// The time between two lines of the log.
    private static let reminder = Duration.seconds(30)

    private let link: Link
    private let logger: Logger

    /// Prepares the transactions over a link that nothing else uses.
    init(over link: Link, logger: Logger) {
        self.link = link
        self.logger = logger
    }

    /// Runs `body` in a transaction, again until it could be committed or failed for good.
    ///
    /// - Throws: ``PostgreSQLError`` with code `unreachable`; what `body` throws.
    func transaction<Value: Sendable>(_ body: @Sendable (Transaction) async throws -> Value) async throws
        -> Value
    {
        var lostAt: ContinuousClock.Instant?
        var reminded: ContinuousClock.Instant?
        while true {
            let begun = ContinuousClock.now
            // Refused by servers on systems that can't see a client's end; the statement then runs to its own.
            _ = try? await link.run(Self.endingWithClient)
            let failure: LinkFailure
            switch await Transaction.attempt(on: link, outlet: CommitOutlet(), body) {
            case .committed(let value): return value
            case .refused(let error): throw error
            case .undone(let cause), .unknown(let cause): failure = cause
            }
            if failure.isTransient {
                lostAt = nil
                remind(
                    "The database's tables can't be changed while another connection uses them; waiting",
                    &reminded
                )
            } else {
                guard failure.outcome == .unknown || failure.outcome == .unsent else { throw error(failure) }
                let since = lostAt ?? begun
                guard ContinuousClock.now - since < Self.patience else { throw error(failure) }
                lostAt = since
            }
            try await ContinuousClock().sleep(for: Self.pause)
        }
    }

    /// Runs `body` in transactions until it returns a value; `nil` means that another server is doing the same.
    func whenFree<Value: Sendable>(_ body: @Sendable (Transaction) async throws -> Value?) async throws
        -> Value
    {
        var reminded: ContinuousClock.Instant?
        while true {
            if let value = try await transaction(body) { return value }
            remind(
                "Another server brings the database's tables to a newer version; waiting for it",
                &reminded
            )
            try await ContinuousClock().sleep(for: Self.pause)
        }
    }

    private func remind(_ line: Logger.Message, _ last: inout ContinuousClock.Instant?) {
        if let last, ContinuousClock.now - last < Self.reminder { return }
        last = .now
        logger.notice(line)
    }

    private func error(_ failure: LinkFailure) -> PostgreSQLError {
        PostgreSQLError(.unreachable, "The database can't be used: \(link.lastFailure ?? failure.message)")
    }

    private static let endingWithClient = Statement(
        once: "SELECT set_config('client_connection_check_interval', '5s', false)"
    )
}
#endif
