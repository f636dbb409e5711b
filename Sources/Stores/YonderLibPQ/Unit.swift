#if Postgres
/// One statement on its way over a ``Link``, a transaction by itself unless one was begun.
///
/// `PostgreSQLStore` makes one for each statement and `Link` queues it, sends it with others in one pipeline and calls
/// the completion exactly once, also when the link ends. Beyond the limit a unit is refused at once. `commits` must be
/// right: by it a lost answer counts as *unknown* or as not done, and so whether work may run again (decision 30,
/// `LinkValueTests`).
package struct Unit: Sendable {
    /// What to run.
    package let statement: Statement

    /// Its parameters, coded.
    package let parameters: ParameterBuffer

    /// The connection that it must run on, or `nil` for any: a transaction can't go on on another one.
    package let connection: Int?

    /// Whether the caller must know that PostgreSQL keeps the statement's changes: the statement is `COMMIT`, or changes
    /// rows while no transaction is open on its connection.
    package let commits: Bool

    /// When it fails if it couldn't be sent before.
    package let deadline: ContinuousClock.Instant

    /// Called once, on the link's thread; must not block.
    package let completion: @Sendable (Result<Answer, LinkFailure>) -> Void

    /// The answer to a statement.
    package struct Answer: Sendable {
        /// The rows, in the order of the answer.
        package let rows: [Row]

        /// How many rows were inserted, changed or removed.
        package let affected: Int

        /// The connection on which it ran, counted from 1.
        package let connection: Int
    }
}

/// The units that wait for a link's thread, bounded in number.
package struct UnitQueue: Sendable {
    /// The action for a new unit.
    package enum Action: Equatable {
        /// Wake the thread.
        case wake
        /// Nothing: the thread was woken and hasn't looked yet.
        case wait
        /// Fail the unit: the queue is full, or closed.
        case refuse
    }

    private var units: [Unit] = []
    private var count = 0
    private let limit: Int
    private var isAwake = false
    private(set) var isClosed = false
    private(set) var isAbandoned = false

    /// Creates a queue for at most `limit` units that have no answer.
    package init(limit: Int) {
        self.limit = limit
    }

    /// How many units have no answer yet.
    package var load: Int { count }

    /// Adds a unit.
    package mutating func append(_ unit: Unit) -> Action {
        guard !isClosed, count < limit else { return .refuse }
        units.append(unit)
        count += 1
        defer { isAwake = true }
        return isAwake ? .wait : .wake
    }

    /// The units that were added since the last call.
    package mutating func take() -> [Unit] {
        isAwake = false
        defer { units.removeAll() }
        return units
    }

    /// Call this when so many units were answered.
    package mutating func finish(_ number: Int) {
        count -= number
    }

    /// Refuses further units.
    package mutating func close() {
        isClosed = true
    }

    /// Refuses further units; the link then drops those that have no answer.
    package mutating func abandon() {
        isClosed = true
        isAbandoned = true
    }
}
#endif
