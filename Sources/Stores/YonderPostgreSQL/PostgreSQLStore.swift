#if Postgres
package import Logging
import Synchronization
import YonderJSON
package import YonderRules
package import YonderLibPQ
package import YonderModel

/// Chats, accounts and objects in one PostgreSQL database, which several processes may share.
///
/// No decision rests on memory alone: a cached chat has a version, and a write that was decided over an older version is
/// decided again. See `Documentation/decisions/0030-chats-in-postgresql.md`.
///
/// Any thread may call. A transaction runs again where PostgreSQL asks for it
/// (40001, a deadlock) or the connection was lost before the commit. After a commit whose answer was lost the caller
/// gets `unavailable`, unless the work is repeatable, and ``doubt()`` has every node read its lists again. ``close()``
/// answers what is queued.
///
/// Statements on ``counting`` stay short: limits and the clock wait for nothing else.
package final class PostgreSQLStore: Sendable {
    /// The connections and queues of a store.
    package struct Settings: Hashable, Sendable {
        /// Connections for reading.
        package var readers = 4
        /// Connections for transactions.
        package var transactions = 2
        /// Statements that may wait on one connection for reading.
        package var waiting = 1_000
        /// Submissions to chats, and read positions, that may wait to be written.
        package var submissions = 100_000

        /// The usual settings.
        package init() {}
    }

    /// The other servers that may use the database at the same time.
    package enum Use: Sendable {
        /// No other server.
        case alone
        /// The other nodes of a cluster.
        case node
        /// Any servers: the store makes no claim, and works beside those that have one.
        case guest
    }

    let readers: [Link]
    let transactions: LinkPool
    let objectQueue: Mutex<CommitQueue<ObjectRequest>>

    /// The server's claim to the database; `nil` for a command that works beside servers.
    let claim: DatabaseClaim?
    let logger: Logger

    /// The lines about statements without an answer, by the statement's name: each request can cause one.
    private let failures = LineRate()
    let nextChatID: @Sendable () -> ChatID

    /// Makes a connection for periodic work, which may take long.
    let makeUpkeepLink: @Sendable () -> Link

    /// See ``isCleared``.
    let cleared = Atomic(false)

    /// A connection for limits and the clock, whose statements never wait behind a long transaction.
    let counting: Link

    /// See ``CommitSource/outlet``.
    package let outlet = CommitOutlet()
    private let writing: Link
    private let writer: ChatWriter
    private let queue: Mutex<CommitQueue<WriteRequest>>

    /// Connects, and makes the tables in an empty database.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - settings: Its connections and queues.
    ///   - use: The other servers that may use the database.
    ///   - admitsIncomplete: Whether to open also a database into which a migration hasn't ended.
    ///   - needsIndexes: Whether to refuse a database that lacks an index; a copy can be made without.
    ///   - logger: Receives events for operators.
    ///   - nextChatID: Makes ids for new chats; random by default.
    /// - Returns: The open store.
    /// - Throws: ``PostgreSQLError`` with code `unreachable`, `tooOld`, `tooNew`, `notEmpty`, `incomplete`,
    ///   `damaged` or `inUse`.
    package static func open(
        _ address: PostgreSQLAddress,
        settings: Settings = Settings(),
        for use: Use = .guest,
        admitsIncomplete: Bool = false,
        needsIndexes: Bool = true,
        logger: Logger = Logger(label: "yonder.postgresql"),
        nextChatID: @escaping @Sendable () -> ChatID = { .random() }
    ) async throws(PostgreSQLError) -> PostgreSQLStore {
        let store = PostgreSQLStore(address, settings, use, logger, nextChatID)
        do throws(PostgreSQLError) {
            try await store.prepare(admitsIncomplete, needsIndexes && !admitsIncomplete)
            try await store.lock()
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    private init(
        _ address: PostgreSQLAddress,
        _ settings: Settings,
        _ use: Use,
        _ logger: Logger,
        _ nextChatID: @escaping @Sendable () -> ChatID
    ) {
        let identity = DatabaseIdentity()
        @Sendable func link(_ purpose: Link.Purpose) -> Link {
            Link(address, for: purpose, limit: settings.waiting, identity: identity) {
                logger.warning("\($0)")
            }
        }
        makeUpkeepLink = { link(.upkeep) }
        readers = (0..<max(1, settings.readers)).map { _ in link(.reading) }
        writing = link(.writing)
        counting = link(.writing)
        writer = ChatWriter(writing, outlet: outlet, logger: logger)
        queue = Mutex(CommitQueue(limits: .init(count: settings.submissions)))
        objectQueue = Mutex(CommitQueue(limits: .init(count: settings.submissions)))
        transactions = LinkPool((0..<max(1, settings.transactions)).map { _ in link(.writing) })
        claim = use == .guest ? nil : DatabaseClaim(over: link(.writing), isExclusive: use == .alone)
        self.logger = logger
        self.nextChatID = nextChatID
    }

    private func prepare(_ admitsIncomplete: Bool, _ needsIndexes: Bool) async throws(PostgreSQLError) {
        let link = makeUpkeepLink()
        let failure: PostgreSQLError?
        do throws(PostgreSQLError) {
            try await Schema.prepare(
                over: link,
                admitsIncomplete: admitsIncomplete,
                needsIndexes: needsIndexes,
                logger: logger
            )
            failure = nil
        } catch {
            failure = error
        }
        await link.close()
        if let failure { throw failure }
    }

    private func lock() async throws(PostgreSQLError) {
        guard let claim else { return }
        let holds: Bool
        do throws(LinkFailure) {
            holds = try await claim.take()
        } catch {
            throw PostgreSQLError(.unreachable, error.message)
        }
        guard holds else {
            throw PostgreSQLError(
                .inUse,
                """
                Another server uses this database\(claim.isExclusive ? "" : " without the bus"). For several servers give each of them the \
                bus, as in --bus nats://127.0.0.1:4222.
                """
            )
        }
    }

    /// Writes the queued requests, refuses later ones, and closes the connections.
    ///
    /// If the database can't be reached, the queued requests are refused.
    package func close() async {
        await closeObjects()
        writer.close()
        await withCheckedContinuation { continuation in
            if queue.withLock({ $0.close(continuation) }) { continuation.resume() }
        }
        await writing.close()
        await counting.close()
        await transactions.close()
        for reader in readers { await reader.close() }
        await claim?.close()
    }

    /// Queues a request for the next commit, or refuses it at once.
    func enqueue(_ request: WriteRequest) {
        guard mayWrite else { return request.refuse(.storeFailed) }
        switch queue.withLock({ $0.append(request) }) {
        case .wait: break
        case .schedule: Task { await commit() }
        case .refuse: request.refuse(.storeBusy)
        }
    }

    /// Writes queued requests, one commit after the other, until the queue is empty; only one call runs at a time.
    private func commit() async {
        var isMore = true
        while isMore {
            let requests = queue.withLock { $0.next() }
            await writer.commit(requests)
            let next = queue.withLock { $0.finish(requests) }
            for continuation in next.idle { continuation.resume() }
            isMore = next.isMore
        }
    }

    /// Runs a statement that only reads, on the reader with the fewest waiting.
    ///
    /// It sees everything that was committed before it was called, by any process. One of several readers is never lent
    /// to statements that may take long, so that the others needn't wait for these.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - parameters: Its parameters.
    ///   - isLong: Whether it may take long.
    /// - Returns: The rows.
    /// - Throws: `unavailable`.
    func read(_ statement: Statement, _ parameters: [Parameter] = [], isLong: Bool = false)
        async throws(SharingError) -> [Row]
    {
        let readers = isLong && readers.count > 1 ? readers.dropLast() : readers[...]
        var attempts = 3
        while true {
            attempts -= 1
            let reader = readers.min { $0.load < $1.load } ?? self.readers[0]
            do throws(LinkFailure) {
                return try await reader.run(statement, parameters).rows
            } catch {
                guard attempts > 0, error.outcome == .unknown || error.isTransient else {
                    throw refusal(of: error, in: statement.name)
                }
            }
        }
    }

    /// Runs `body` in a transaction.
    ///
    /// `body` runs again if the database asks for that, or if the connection was lost before the commit was sent. It must
    /// change nothing but the database. If the connection is lost during the commit, `body` runs again only if
    /// `isRepeatable` says that it then finds what it did.
    ///
    /// - Parameters:
    ///   - isRepeatable: Whether `body` may run again after it was committed.
    ///   - body: Reads and writes. A ``SharingError`` that it throws rolls back, and is passed on.
    /// - Returns: The result of `body`, once the transaction was committed.
    /// - Throws: ``SharingError``: that of `body`, or `unavailable`.
    func transaction<Value: Sendable>(
        isRepeatable: Bool = false,
        _ body: @Sendable (Transaction) async throws -> Value
    ) async throws(SharingError) -> Value {
        try await transactions.withLink { link throws(SharingError) in
            var end = ContinuousClock.now + .seconds(10)
            // Set once a commit's answer is lost, until a later attempt knows what became of it.
            var isDoubtful = false
            defer { if isDoubtful { doubt() } }
            while true {
                let failure: LinkFailure
                switch await Transaction.attempt(on: link, outlet: outlet, body) {
                case .committed(let value):
                    isDoubtful = false
                    return value
                case .refused(let error): throw error
                case .undone(let cause):
                    guard cause.isTransient || cause.outcome == .unknown else {
                        throw refusal(of: cause, in: "a transaction")
                    }
                    failure = cause
                case .unknown(let cause):
                    // However long the first answer was waited for, there is time for another attempt, which looks for
                    // what was made.
                    if !isDoubtful { end = max(end, ContinuousClock.now + .seconds(1)) }
                    isDoubtful = true
                    guard isRepeatable else { throw refusal(of: cause, in: "a commit") }
                    failure = cause
                }
                guard ContinuousClock.now < end else { throw refusal(of: failure, in: "a transaction") }
            }
        }
    }

    /// Has every list read again after the answer to a commit was lost, as the commit may have been made.
    private func doubt() {
        var commit = StoreCommit()
        commit.isDoubtful = true
        outlet.send(commit)
    }

    /// Reads with several statements, which may take long if `isLong`: see ``read(_:_:isLong:)``.
    ///
    /// - Throws: The ``SharingError`` that `body` throws.
    func answer<Value>(isLong: Bool = false, _ body: (@escaping Query) async throws -> Value)
        async throws(SharingError) -> Value
    {
        do {
            return try await body { [self] in try await read($0, $1, isLong: isLong) }
        } catch let error as SharingError {
            throw error
        } catch {
            throw .storeFailed
        }
    }

    /// The error for a caller, once what happened is in the log.
    func refusal(of failure: LinkFailure, in place: String) -> SharingError {
        guard failure.outcome != .busy else { return .storeBusy }
        if let omitted = failures.take(place) {
            logger.error(
                "The database didn't answer \(place): \(failure.message.utf8.logged(atMost: 500))",
                metadata: ["omitted": "\(omitted)"]
            )
        }
        return .storeFailed
    }
}
#endif
