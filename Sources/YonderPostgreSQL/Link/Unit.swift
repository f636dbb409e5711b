#if Postgres
/// One statement on its way over a ``Link``, a transaction by itself unless one was begun.
struct Unit: Sendable {
    /// What to run.
    let statement: Statement

    /// Its parameters, coded.
    let parameters: ParameterBuffer

    /// The connection that it must run on, or `nil` for any: a transaction can't go on on another one.
    let connection: Int?

    /// When it fails if it couldn't be sent before.
    let deadline: ContinuousClock.Instant

    /// Called once, on the link's thread; must not block.
    let completion: @Sendable (Result<Answer, LinkFailure>) -> Void

    /// The answer to a statement.
    struct Answer: Sendable {
        /// The rows, in the order of the answer.
        let rows: [Row]

        /// How many rows were inserted, changed or removed.
        let affected: Int

        /// The connection on which it ran, counted from 1.
        let connection: Int
    }
}

/// The units that wait for a link's thread, bounded in number.
struct UnitQueue: Sendable {
    /// The action for a new unit.
    enum Action: Equatable {
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

    /// Creates a queue for at most `limit` units that have no answer.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many units have no answer yet.
    var load: Int { count }

    /// Adds a unit.
    mutating func append(_ unit: Unit) -> Action {
        guard !isClosed, count < limit else { return .refuse }
        units.append(unit)
        count += 1
        defer { isAwake = true }
        return isAwake ? .wait : .wake
    }

    /// What came since the last time.
    mutating func take() -> [Unit] {
        isAwake = false
        defer { units.removeAll() }
        return units
    }

    /// Call this when so many units were answered.
    mutating func finish(_ number: Int) {
        count -= number
    }

    /// Refuses further units.
    mutating func close() {
        isClosed = true
    }
}
#endif
