#if Postgres
import Logging
import YonderLibPQ

/// The periodic work that servers do for their database, on a connection of its own, because some of it takes long.
///
/// Every server of a database does so; the work may be done twice. A failure is logged, and costs only time. Nothing here
/// waits for a lock longer than ``lockTimeout``: whatever reads the database, a dump among it, no message waits behind it.
final class Upkeep: Sendable {
    private let link: Link
    private let logger: Logger

    /// Prepares the work over a link that nothing else uses.
    init(over link: Link, logger: Logger) {
        self.link = link
        self.logger = logger
    }

    /// Drops the connection without waiting for statements on their way; PostgreSQL completes a running VACUUM.
    func abandon() {
        link.abandon()
    }

    /// Ends the connection.
    func close() async {
        await link.close()
    }

    /// Does a piece of work; after a failure, which is logged, the work waits for its next turn.
    func perform(_ work: UpkeepPlan.Work) async {
        do throws(LinkFailure) {
            switch work {
            case .endStuck: try await endStuck()
            case .analyze: try await analyze()
            case .vacuum: try await vacuum()
            }
        } catch {
            logger.debug("Upkeep of the database failed and is tried again later: \(error.message)")
        }
    }

    /// Ends connections of servers that have an open transaction and have sent nothing for two seconds.
    ///
    /// A server that is frozen, or whose machine is lost, may hold the lock of a chat.
    ///
    /// - Returns: The number of ended connections.
    @discardableResult
    func endStuck() async throws(LinkFailure) -> Int {
        let ended = try await link.run(Self.ending).rows.count
        if ended > 0 {
            logger.warning("Ended connections that kept a transaction open", metadata: ["count": "\(ended)"])
        }
        return ended
    }

    /// Runs `ANALYZE` on tables of at least 500 rows that have more than twice as many as in the planner's statistics.
    ///
    /// PostgreSQL does this by itself within minutes. Until then, a new database keeps plans that were made for empty tables.
    ///
    /// - Returns: The names of the tables.
    @discardableResult
    func analyze() async throws(LinkFailure) -> [String] {
        let tables = try await link.run(Self.grown).rows.map { $0.text(0) }
        for table in tables { _ = try await link.run(Statement(once: "ANALYZE \(table)")) }
        return tables
    }

    /// Removes erased content from the files of tables in which rows were changed or removed, each table at most twice an hour.
    ///
    /// A table of up to 32 MiB is rewritten, which blocks its readers and writers meanwhile. A larger table gets a plain
    /// VACUUM: the rows are removed, and their bytes stay in the free parts of pages until other rows overwrite them. A table
    /// that another connection has locked, as a dump does, is left for the next round. While another server does this work,
    /// the call does nothing.
    ///
    /// - Returns: The names of the tables.
    @discardableResult
    func vacuum() async throws(LinkFailure) -> [String] {
        guard try await link.run(Self.locking).rows.first?.bool(0) == true else { return [] }
        let outcome: Result<[String], LinkFailure>
        do throws(LinkFailure) {
            outcome = .success(try await vacuumTables())
        } catch {
            outcome = .failure(error)
        }
        _ = try await link.run(Self.unlocking)
        return try outcome.get()
    }

    private func vacuumTables() async throws(LinkFailure) -> [String] {
        var done: [String] = []
        for row in try await link.run(Self.due).rows {
            let table = row.text(0)
            do throws(LinkFailure) {
                try await vacuum(table, isRewritten: row.int(1) <= Self.largestRewritten)
                done.append(table)
            } catch {
                // The others of this round don't suffer from it, unless there is no connection.
                guard case .refused = error.outcome else { throw error }
                // Only a lock passes by itself; without room or the right to, what was erased stays in the table's files.
                logger.log(
                    level: error.isTransient ? .debug : .warning,
                    "A table is left for the next round of upkeep: \(error.message)",
                    metadata: ["table": "\(table)"]
                )
            }
        }
        return done
    }

    private func vacuum(_ table: String, isRewritten: Bool) async throws(LinkFailure) {
        let connection = try await link.run(Self.shortLocks).connection
        if isRewritten { _ = try await link.run(Statement(once: "VACUUM (FULL) \(table)"), on: connection) }
        // Also after VACUUM FULL, which doesn't set `last_vacuum` in the statistics.
        _ = try await link.run(Statement(once: "VACUUM \(table)"), on: connection)
    }

    /// How long a statement waits for a lock, in milliseconds; the table's readers and writers wait behind it meanwhile.
    ///
    /// Enough for the transactions of messages, which take less.
    static let lockTimeout = 50

    private static let shortLocks = Statement(name: "short_locks", sql: "SET lock_timeout = \(lockTimeout)")

    private static let largestRewritten: Int64 = 32 << 20

    /// The tables with content that is erased on request or after its time.
    private static let tables = [
        "message", "chat", "share", "image", "object", "entity", "account", "credential", "invitation",
        "known_network", "account_event", "signing_key", "started",
    ]

    private static let ending = Statement(
        name: "end_stuck",
        sql: """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND usename = current_user AND application_name = 'yonder'
                AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND wait_event = 'ClientRead'
                AND state_change < clock_timestamp() - interval '2 seconds'
            """
    )

    private static let grown = Statement(
        name: "tables_to_analyze",
        sql: """
            SELECT quote_ident(s.relname) FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
            WHERE s.schemaname = current_schema() AND s.n_live_tup >= 500 AND s.n_live_tup > 2 * greatest(c.reltuples, 0)
            ORDER BY s.relname
            """
    )

    // The number is arbitrary, and the same in every server.
    private static let locking = Statement(
        name: "lock_vacuum",
        sql: "SELECT pg_try_advisory_lock(7923006742)"
    )
    private static let unlocking = Statement(name: "unlock_vacuum", sql: "SELECT pg_advisory_unlock_all()")

    private static let due = Statement(
        name: "tables_to_vacuum",
        sql: """
            SELECT relname::text, pg_total_relation_size(relid) FROM pg_stat_user_tables
            WHERE schemaname = current_schema() AND relname IN (\(tables.map { "'\($0)'" }.joined(separator: ", ")))
                AND n_dead_tup > 0
                AND coalesce(greatest(last_vacuum, last_autovacuum), '-infinity') < now() - interval '30 minutes'
            ORDER BY relname
            """
    )
}
#endif
