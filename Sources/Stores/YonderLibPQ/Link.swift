#if Postgres
import CLibPQ
import Dispatch
import Synchronization

/// One connection to PostgreSQL, with a thread of its own that waits for its socket.
///
/// `PostgreSQLStore` opens some and sends them units, from any thread; each unit is answered exactly once, on this thread.
///
/// Up to ``depth`` statements are on their way at once, each ended by a `Sync` of its own, so that one's error spoils only
/// itself. A statement is answered once its transaction has ended: after the answer to its `Sync`, as a commit may fail
/// behind the rows.
///
/// A lost connection is made anew, at first at once, then after 50 ms doubling to 1 s. What was on its way then fails
/// with an unknown outcome; what wasn't sent waits for the new connection until its deadline. No statement is ever
/// canceled by the client: a cancel during the wait for a standby would commit on this server alone. That nothing is
/// canceled, and the unknown outcome, must stay (decision 30, `PostgreSQLConnectionTests`); ``depth`` and the waits may
/// be changed.
// Safe because `queue` is behind a lock, and every other variable belongs to the link's thread.
package final class Link: @unchecked Sendable {
    /// How many statements are on their way at once.
    package static let depth = 4

    private let address: PostgreSQLAddress
    private let purpose: Purpose
    private let queue: Mutex<UnitQueue>
    private let failure = Mutex<String?>(nil)
    private let done = Mutex<[CheckedContinuation<Void, Never>]?>([])
    private let report: @Sendable (String) -> Void
    private let bell: Bell
    private let identity: DatabaseIdentity

    private var waiting: [Unit] = []
    private var flight = Flight()

    /// When the server last sent an answer, or when the first statement after a pause was sent.
    private var heard = ContinuousClock.now
    private var backoff = Backoff()
    private var connection: OpaquePointer?
    private var number = 0
    private var prepared: Set<String> = []
    private var isIdentified = false

    /// Starts the thread, which connects at once.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - purpose: The kind of work.
    ///   - limit: The most statements that may wait for an answer.
    ///   - identity: The database of the store; a connection to another one isn't used.
    ///   - report: Called on the link's thread with lines for the operator's log.
    package init(
        _ address: PostgreSQLAddress,
        for purpose: Purpose,
        limit: Int = 1_000,
        identity: DatabaseIdentity = DatabaseIdentity(),
        report: @escaping @Sendable (String) -> Void
    ) {
        self.address = address
        self.purpose = purpose
        self.report = report
        self.identity = identity
        queue = Mutex(UnitQueue(limit: limit))
        bell = Bell()
        // A serial queue has a thread of its own; those of a concurrent one are shared with Swift's.
        DispatchQueue(label: "postgresql").async { [self] in run() }
    }

    /// How many statements have no answer yet.
    package var load: Int { queue.withLock { $0.load } }

    /// Why the last attempt to connect failed; `nil` while there is a connection.
    package var lastFailure: String? { failure.withLock { $0 } }

    /// Sends a statement.
    package func send(_ unit: Unit) {
        switch queue.withLock({ $0.append(unit) }) {
        case .wake: bell.ring()
        case .wait: break
        case .refuse: unit.completion(.failure(LinkFailure(outcome: .busy, message: "The queue is full.")))
        }
    }

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - statement: What to run.
    ///   - parameters: Its parameters, in order.
    ///   - connection: The connection that it must run on, or `nil` for any.
    ///   - patience: How long it may wait for a connection.
    /// - Returns: The rows, once its transaction has ended.
    /// - Throws: ``LinkFailure``.
    package func run(
        _ statement: Statement,
        _ parameters: [Parameter] = [],
        on connection: Int? = nil,
        patience: Duration = .seconds(5)
    ) async throws(LinkFailure) -> Unit.Answer {
        let result = await withCheckedContinuation { continuation in
            send(statement, parameters, on: connection, patience) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Sends a statement, and calls `completion` on the link's thread.
    func send(
        _ statement: Statement,
        _ parameters: [Parameter],
        on connection: Int?,
        _ patience: Duration,
        completion: @escaping @Sendable (Result<Unit.Answer, LinkFailure>) -> Void
    ) {
        send(
            Unit(
                statement: statement,
                parameters: ParameterBuffer(parameters),
                connection: connection,
                commits: purpose.commits(statement, on: connection),
                deadline: .now + patience,
                completion: completion
            )
        )
    }

    /// Refuses further statements, and drops the connection without waiting for those on their way; ``close()`` must follow.
    package func abandon() {
        queue.withLock { $0.abandon() }
        bell.ring()
    }

    /// Refuses further statements, waits for those on their way, and closes the connection.
    package func close() async {
        queue.withLock { $0.close() }
        bell.ring()
        await withCheckedContinuation { continuation in
            let isDone = done.withLock { waiting in
                waiting?.append(continuation)
                return waiting == nil
            }
            if isDone { continuation.resume() }
        }
    }
}

// The thread.
extension Link {
    private func run() {
        while step() {}
        disconnect("The link was closed.")
        let waiting = done.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        for continuation in waiting ?? [] { continuation.resume() }
    }

    /// One turn of the thread: takes queued statements, sends them, and waits for answers.
    ///
    /// - Returns: Whether there is a next one.
    private func step() -> Bool {
        let (units, isClosed, isAbandoned) = queue.withLock { ($0.take(), $0.isClosed, $0.isAbandoned) }
        waiting += units
        if isClosed { refuseWaiting { _ in true } }
        if isClosed, flight.isEmpty || isAbandoned { return false }
        guard let connection else {
            refuseWaiting { $0.deadline <= .now || $0.connection != nil }
            if let delay = backoff.delay(at: .now) {
                bell.wait(also: nil, milliseconds: delay)
            } else {
                connect()
            }
            return true
        }
        if flight.isEmpty { heard = .now }
        sendWaiting(over: connection)
        guard self.connection != nil else { return true }
        let unsent = PQflush(connection)
        guard unsent >= 0 else {
            disconnect(Self.message(connection))
            return true
        }
        bell.wait(also: (PQsocket(connection), unsent > 0), milliseconds: pause)
        receive(from: connection)
        if let silence = purpose.silence, !flight.isEmpty, .now - heard > silence, self.connection != nil {
            disconnect("The server has sent nothing for \(silence.components.seconds) s.")
        }
        return true
    }

    /// How long to wait at most: until a waiting unit is too old, or the server has been silent for too long.
    private var pause: Int32 {
        guard waiting.isEmpty else { return 100 }
        return flight.isEmpty || purpose.silence == nil ? -1 : 500
    }

    private func refuseWaiting(_ isRefused: (Unit) -> Bool) {
        let refused = waiting.filter(isRefused)
        guard !refused.isEmpty else { return }
        waiting.removeAll(where: isRefused)
        let message = lastFailure ?? "The link was closed."
        for unit in refused {
            // A transaction whose connection was lost is rolled back, unless its commit has reached the server.
            let outcome = unit.connection == nil ? LinkFailure.Outcome.unsent : .unknown
            finish(unit, .failure(LinkFailure(outcome: outcome, message: message)))
        }
    }

    private func finish(_ unit: Unit, _ result: Result<Unit.Answer, LinkFailure>) {
        queue.withLock { $0.finish(1) }
        unit.completion(result)
    }

    /// Connects, which blocks for at most three seconds a host.
    private func connect() {
        let options = address.options(for: purpose)
        let connection = withCStrings(options.map(\.keyword)) { keywords in
            withCStrings(options.map(\.value)) { PQconnectdbParams(keywords, $0, 0) }
        }
        guard let connection else { return backoff.fail(at: .now) }
        guard PQstatus(connection) == CONNECTION_OK, PQsetnonblocking(connection, 1) == 0,
            PQenterPipelineMode(connection) == 1
        else {
            defer { PQfinish(connection) }
            return refuse(Self.message(connection))
        }
        let own = Unmanaged.passUnretained(self).toOpaque()
        PQsetNoticeReceiver(connection, { Link.note($0, $1) }, own)
        self.connection = connection
        number += 1
        prepared = []
        identify(connection)
    }

    /// Records why there is no connection, and has the next attempt wait.
    private func refuse(_ message: String) {
        let isNews = failure.withLock { last in
            defer { last = message }
            return last != message
        }
        if isNews { report("No connection to the database: \(message)") }
        backoff.fail(at: .now)
    }

    /// Asks the server for the identity of its database; no statement is sent before the answer.
    private func identify(_ connection: OpaquePointer) {
        isIdentified = false
        guard PQsendQueryParams(connection, Self.identification, 0, nil, nil, nil, nil, 1) == 1,
            PQpipelineSync(connection) == 1
        else { return disconnect(Self.message(connection)) }
        flight.append(.identification)
        heard = .now
    }

    /// Reads the timeline from the name of the current log file, because `pg_control_checkpoint()` has the old timeline
    /// until the first checkpoint after a promotion.
    private static let identification = """
        SELECT system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int::bigint
        FROM pg_control_system()
        """

    /// Receives the identity; without the right to query it, the connection is used unchecked.
    private func identify(_ outcome: Result<Unit.Answer, LinkFailure>) {
        if case .success(let answer) = outcome, let row = answer.rows.first,
            let refusal = identity.refusal(system: row.int(0), timeline: row.int(1))
        {
            if let connection { PQfinish(connection) }
            connection = nil
            _ = flight.removeAll()
            return refuse(refusal)
        }
        isIdentified = true
        backoff.succeed()
        failure.withLock { $0 = nil }
    }

    /// Takes a warning of the server's: one that a standby's answer isn't awaited makes the outcome unknown.
    ///
    /// That warning has the state 01000, or 57P01 when the server goes down; its words depend on the server's language.
    private static func note(_ link: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
        guard let link, let result else { return }
        let severity = field(result, "V")
        let state = field(result, "C")
        guard severity == "WARNING", state == "01000" || state.hasPrefix("57P0") else { return }
        Unmanaged<Link>.fromOpaque(link).takeUnretainedValue().flight.doubt()
    }

    private func sendWaiting(over connection: OpaquePointer) {
        refuseWaiting { $0.deadline <= .now || $0.connection != nil && $0.connection != number }
        while isIdentified, flight.count < Self.depth, let unit = waiting.first {
            guard prepare(unit.statement, over: connection), dispatch(unit, over: connection) else {
                return disconnect(Self.message(connection))
            }
        }
    }

    private func prepare(_ statement: Statement, over connection: OpaquePointer) -> Bool {
        guard !prepared.contains(statement.name) else { return true }
        guard PQsendPrepare(connection, statement.name, statement.sql, 0, nil) == 1,
            PQpipelineSync(connection) == 1
        else { return false }
        if !statement.name.isEmpty { prepared.insert(statement.name) }
        flight.append(.preparation(statement.name))
        return true
    }

    private func dispatch(_ unit: Unit, over connection: OpaquePointer) -> Bool {
        let parameters = unit.parameters
        let formats = [CInt](repeating: 1, count: parameters.ranges.count)
        let lengths = parameters.ranges.map { CInt($0?.count ?? 0) }
        let isSent = parameters.bytes.withUnsafeBytes { bytes in
            // An empty value must have an address, too: without one it would be NULL.
            let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8)
            let values = parameters.ranges.map { range in
                range.flatMap { start?.advanced(by: $0.lowerBound).assumingMemoryBound(to: CChar.self) }
            }
            return PQsendQueryPrepared(
                connection,
                unit.statement.name,
                CInt(values.count),
                values,
                lengths,
                formats,
                1
            )
        }
        guard isSent == 1 else { return false }
        waiting.removeFirst()
        flight.append(.unit(unit))
        return PQpipelineSync(connection) == 1
    }

    private func receive(from connection: OpaquePointer) {
        guard PQconsumeInput(connection) == 1 else { return disconnect(Self.message(connection)) }
        // The end of one command's results is a nil; more of them in a row than that would be without end.
        var ends = 0
        while !flight.isEmpty, self.connection != nil, PQisBusy(connection) == 0, ends < 8 {
            guard let result = PQgetResult(connection) else {
                ends += 1
                continue
            }
            ends = 0
            take(result)
        }
        guard self.connection != nil else { return }
        if PQstatus(connection) != CONNECTION_OK || ends == 8 || flight.isBroken {
            disconnect(Self.message(connection))
        }
    }

    private func take(_ result: OpaquePointer) {
        heard = .now
        switch PQresultStatus(result) {
        case PGRES_PIPELINE_SYNC:
            PQclear(result)
            guard let (entry, outcome) = flight.finish(connection: number) else { return }
            switch (entry, outcome) {
            case (.unit(let unit), _): finish(unit, outcome)
            case (.preparation(let name), .failure): prepared.remove(name)
            case (.preparation, .success): break
            case (.identification, _): identify(outcome)
            }
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            flight.take(Table(result))
        default:
            let state = SQLState(Self.field(result, "C"))
            let message = PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
            PQclear(result)
            flight.fail(state, message)
            if state.kind == .failed { report("The database refused a statement: \(message)") }
        }
    }

    /// Drops the connection; the statements on their way fail with an unknown outcome.
    private func disconnect(_ message: String) {
        guard let connection else { return }
        PQfinish(connection)
        self.connection = nil
        if !isIdentified { backoff.fail(at: .now) }
        failure.withLock { $0 = message }
        let lost = flight.removeAll()
        for unit in lost { finish(unit, .failure(LinkFailure(outcome: .unknown, message: message))) }
        if !queue.withLock({ $0.isClosed }) { report("The connection to the database was lost: \(message)") }
    }

    private static func message(_ connection: OpaquePointer) -> String {
        PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    }

    private static func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String {
        PQresultErrorField(result, CInt(code.value)).map { String(cString: $0) } ?? ""
    }
}
#endif
