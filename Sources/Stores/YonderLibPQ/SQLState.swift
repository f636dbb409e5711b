#if Postgres
/// The five characters by which PostgreSQL names an error: its manual's appendix *Error Codes*.
///
/// `Link` and ``Flight`` read the state of each error; the PostgreSQL store asks for its meaning, for instance whether
/// the transaction may run again. The five characters are PostgreSQL's. An unknown state is a failure that isn't
/// repeated. What an outcome means for a commit must stay: *unknown* is neither done nor undone (decision 30,
/// `LinkValueTests`).
package struct SQLState: Hashable, Sendable {
    /// The five characters; empty if the error is libpq's own.
    package let rawValue: String

    /// Creates a state from its characters.
    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// What a caller does about an error.
    package enum Kind: Hashable, Sendable {
        /// Nothing was written; the same may succeed now: a serialization failure, a deadlock or a lock that took too long.
        case again
        /// The connection ends, or the server doesn't take writes any more.
        case disconnected
        /// A row of this key exists.
        case duplicate
        /// Trying again doesn't help.
        case failed
    }

    /// What to do.
    package var kind: Kind {
        switch rawValue {
        case "40001", "40P01", "55P03": .again
        case "23505": .duplicate
        // A server that was a primary and is a standby now answers 25006.
        case "25006", "": .disconnected
        case let state where state.hasPrefix("08") || state.hasPrefix("57P0"): .disconnected
        default: .failed
        }
    }
}

/// Why a statement has no answer.
package struct LinkFailure: Error, Hashable, Sendable {
    /// What is known of the outcome.
    package enum Outcome: Hashable, Sendable {
        /// Nothing was sent: the link's queue is full.
        case busy
        /// Nothing was sent: there was no connection for too long.
        case unsent
        /// The connection was lost, or a standby's answer wasn't awaited: it may have been committed or not.
        case unknown
        /// Nothing was kept: the server refused it.
        case refused(SQLState)
    }

    /// What is known of the outcome.
    package let outcome: Outcome

    /// The server's or libpq's words, for the log.
    package let message: String

    /// Creates a failure.
    package init(outcome: Outcome, message: String) {
        self.outcome = outcome
        self.message = message
    }

    /// Whether nothing was kept and the same may succeed at once.
    package var isTransient: Bool {
        if case .refused(let state) = outcome { state.kind == .again } else { false }
    }

    /// Whether another transaction locked a row for longer than a statement waits, which is two seconds; nothing was
    /// written.
    package var isLockTimeout: Bool { outcome == .refused(SQLState("55P03")) }

    /// Whether a row of this key exists.
    package var isDuplicate: Bool {
        if case .refused(let state) = outcome { state.kind == .duplicate } else { false }
    }
}
#endif
