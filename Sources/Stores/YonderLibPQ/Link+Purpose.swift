#if Postgres
// What a connection is for: its name in PostgreSQL's list, and how long its statements may run. `PostgreSQLStore` makes
// one link of each purpose, and several readers. A time limit that is hit is a ``LinkFailure``. The times may be
// changed. The planner's settings must stay: without them PostgreSQL keeps plans that scan whole tables
// (`StatementCostTests`). So must what counts as a commit, by which the caller knows whether work may run again.

extension Link {
    /// The kind of work, which decides how long a statement may take.
    package enum Purpose: Sendable {
        case reading
        case writing
        /// Work for the database itself, which may take any time.
        case upkeep

        /// How long the server may send nothing while a statement is on its way; `nil` for any time.
        ///
        /// A lost machine or a stopped process closes no connection. After this time the link closes it, and the outcome
        /// of the statements on their way is unknown.
        var silence: Duration? { self == .upkeep ? nil : .seconds(self == .reading ? 10 : 15) }

        /// Whether a statement with this connection, or outside a transaction, is one on whose commit the caller relies.
        ///
        /// Upkeep, such as ANALYZE or a copy that ends with a commit over another link, may be lost and is done again.
        func commits(_ statement: Statement, on connection: Int?) -> Bool {
            self == .writing && (connection == nil || statement == .commit)
        }

        /// Settings of the session.
        ///
        /// Every statement is written to read by an index. PostgreSQL keeps the plans of prepared statements: plans that
        /// it makes while tables are empty would scan the tables until the connection ends, or until the next ANALYZE.
        ///
        /// Over a network that went silent PostgreSQL never learns that a client gave its connection up, and by its
        /// default of two hours keeps the session: after a few such cuts it has none left. So it asks an idle client
        /// after 5 s, and ends the session after 11 s.
        private static let common = """
            -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=12000 \
            -c lock_timeout=2000 \
            -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off
            """

        /// How long a transaction may wait for its next statement, in milliseconds.
        ///
        /// A stopped process holds the rows that its transaction has locked until then. Upkeep's one transaction compares a
        /// database with its steps, locks no row, and runs where a copy keeps the processors busy.
        private var idleTime: Int { self == .upkeep ? 120_000 : 5_000 }

        var settings: String {
            let settings = Self.common + " -c idle_in_transaction_session_timeout=\(idleTime)"
            return self == .reading ? settings + " -c statement_timeout=5000" : settings
        }
    }
}
#endif
