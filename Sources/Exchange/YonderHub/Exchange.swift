package import Logging
import NIOConcurrencyHelpers
package import NIOCore
import Synchronization
package import YonderGeodesy
package import YonderModel
package import YonderRules
package import YonderBus
package import YonderObjects
import YonderWire
import YonderWorld

/// The running exchange: takes what people send, has the store number and keep it, and passes it on to every loop.
///
/// The store passes every commit to ``committed(_:)``, which passes the changes to the event loops in the order of the
/// commits. So a chat's messages reach every loop in the order of their numbers. The caller of a write receives its answer
/// after that. Its parts belong to their event loops; this object itself never changes.
///
/// `ServerProcess` makes the one of a server, and runs ``run()`` and `runNode()`; the WebSocket's side opens sessions by
/// ``loop(on:)``, endpoints of REST call the rest, on any thread. A failed write is an error for its caller alone. After
/// a commit whose outcome is unknown every list is read again.
///
/// The order must stay: store, then loops, then the answer; otherwise a client gets an answer before the message
/// (decisions 2, 3 and 36, `ExchangeTests`, `OrderTests`). Limits are `HubSettings`.
package final class Exchange: Sendable {
    let chats: any ChatStore
    let accounts: any AccountStore
    let catalog: ObjectCatalog?
    let presence = PresenceBoard()

    /// This node's part in the cluster, if there is one.
    package let link: NodeLink

    /// The members of the world on all nodes.
    let world: NodeWorld

    /// How many of them each account or network has on this node.
    let worldShares = WorldShares()

    /// Running shares, and how fresh they are.
    package let shares: ShareBoard

    /// The one-to-one chats that take no messages.
    let closed: ClosedChats

    /// The write allowances of all users.
    package let writes: WriteAllowances
    private let loopsBox: NIOLockedValueBox<[NIOLoopBound<HubLoop>]>
    let logger: Logger
    let signIns = SignInBoard()

    /// The requests of this node whose bodies come, which end with their sign-ins.
    package let requests = OpenRequests()
    let silence = StoreSilence()

    /// The commits of which it isn't known what they made.
    let doubts = CommitDoubts()

    /// The due shares whose end is on its way to the store.
    let ending = Mutex<Set<ShareID>>([])

    /// Whether frames about changed shares and blocks may have been missed, so that ``readBoards()`` must read them.
    let boardsAreOld = Atomic<Bool>(false)

    /// The server's time.
    let now: @Sendable () -> Timestamp

    /// The monotonic time, for rate limits.
    let uptime: @Sendable () -> ContinuousClock.Instant

    /// Waits between two looks at what expires.
    let sleep: @Sendable (Duration) async throws -> Void

    /// Ends sessions when their sign-in expires.
    let expiry: ExpiryClock

    /// Counts what ``PersonLimits`` bounds by the hour and the day.
    package let personal: PersonLedger

    /// The positions that people were answered, here and on the other nodes.
    let positions: AnsweredPositions

    /// The heartbeats of each share; `nil` for no limit.
    let heartbeats: Mutex<RateLimiter<ShareID>>?

    /// Creates the exchange over stores, with a part on each of the group's event loops.
    ///
    /// - Parameters:
    ///   - chats: Keeps chats and their logs, and tells what it commits.
    ///   - accounts: Keeps accounts, in the same store.
    ///   - catalog: What live regions of objects show; without it there are no entities.
    ///   - bus: Carries frames to the other nodes over the same stores.
    ///   - log: Reads commits of other processes from the database; `nil` for a store to which this process alone writes.
    ///   - attempts: Counts what people do together with the other servers of a database; `nil` for a count in memory.
    ///   - group: Whose loops connections will belong to.
    ///   - settings: The limits.
    ///   - silence: How long another node may send nothing before its users and pins are removed.
    ///   - expiry: The time by which sessions end with their sign-in.
    ///   - now: The server's time, by which messages are dated, shares end and positions age.
    ///   - uptime: The monotonic time, for rate limits.
    ///   - sleep: Waits for a time; throws when cancelled.
    ///   - logger: Receives events for operators.
    /// - Returns: The exchange, ready for connections.
    /// - Throws: If the group's loops are shut down, or the store can't be read.
    package static func start(
        chats: any ChatStore & CommitSource,
        accounts: any AccountStore,
        catalog: ObjectCatalog? = nil,
        bus: any Bus = InProcessBus(),
        log: (any CommitLog)? = nil,
        attempts: (any AttemptLedger)? = nil,
        group: any EventLoopGroup,
        settings: HubSettings = HubSettings(),
        silence: Duration = NodeRoll.patience,
        expiry: ExpiryClock = ExpiryClock(wall: { .now }),
        now: @escaping @Sendable () -> Timestamp = { .now },
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await ContinuousClock().sleep(for: $0)
        },
        logger: Logger
    ) async throws -> Exchange {
        let link = NodeLink(
            bus: bus,
            log: log,
            silence: silence,
            now: now,
            uptime: uptime,
            sleep: sleep,
            logger: logger
        )
        let report: @Sendable (WriteUse, Writer) -> Void = { use, writer in
            link.publish(.written(use, by: writer))
        }
        let exchange = Exchange(
            link: link,
            chats: link.hasGates
                ? GatedChats(chats, gates: link.gates, uptime: uptime, deliver: link.deliver) : chats,
            accounts: accounts,
            catalog: catalog,
            shares: ShareBoard(try await chats.shares(), now: now),
            closed: ClosedChats(try await accounts.closedChats()),
            expiry: expiry,
            writes: WriteAllowances(settings.writes, uptime: uptime, report: link.isAlone ? nil : report),
            personal: PersonLedger(
                settings.people,
                in: attempts ?? AttemptMemory(capacity: 100_000, uptime: uptime),
                now: now
            ),
            uptime: uptime,
            sleep: sleep,
            logger: logger
        )
        var loops: [NIOLoopBound<HubLoop>] = []
        for (index, eventLoop) in group.makeIterator().enumerated() {
            let loop = try await eventLoop.submit {
                let part = HubLoop(eventLoop: eventLoop, index: index, exchange: exchange, settings: settings)
                return NIOLoopBound(part, eventLoop: eventLoop)
            }.get()
            loops.append(loop)
        }
        exchange.loopsBox.withLockedValue { $0 = loops }
        catalog?.connect { [link] content in link.publish(content) }
        link.start(exchange)
        chats.outlet.connect { [weak exchange] commit in exchange?.committed(commit) }
        catalog?.onDefinitionChange { [weak exchange] entity in
            exchange?.onEachLoop { $0.regions.definitionChanged(of: entity) }
        }
        return exchange
    }

    private init(
        link: NodeLink,
        chats: any ChatStore,
        accounts: any AccountStore,
        catalog: ObjectCatalog?,
        shares: ShareBoard,
        closed: ClosedChats,
        expiry: ExpiryClock,
        writes: WriteAllowances,
        personal: PersonLedger,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        logger: Logger
    ) {
        self.link = link
        world = NodeWorld(node: link.node)
        self.uptime = uptime
        self.sleep = sleep
        now = shares.now
        self.writes = writes
        self.personal = personal
        positions = AnsweredPositions(perMinute: personal.limits.trackPositionsPerMinute)
        let perHour = personal.limits.heartbeatsPerHour
        heartbeats =
            perHour == 0
            ? nil
            : Mutex(RateLimiter { _ in RateLimit(burst: perHour, interval: .seconds(3_600) / perHour) })
        self.chats = chats
        self.accounts = accounts
        self.catalog = catalog
        self.shares = shares
        self.closed = closed
        self.expiry = expiry
        self.logger = logger
        loopsBox = NIOLockedValueBox([])
    }

    /// The part of the exchange on an event loop of its group; call it on that loop.
    ///
    /// - Returns: `nil` if the loop is of another group.
    package func loop(on eventLoop: any EventLoop) -> HubLoop? {
        eventLoop.assertInEventLoop()
        return loops.first { $0.eventLoop === eventLoop }?.value
    }

    var loops: [NIOLoopBound<HubLoop>] { loopsBox.withLockedValue { $0 } }

    // MARK: What others may ask

    /// Stores a submission, and returns after its commit; subscribers are sent the message.
    ///
    /// - Throws: ``SharingError`` with the codes of the store's `submit`, and `tooManyRequests` if the sender exceeds
    ///   a rate limit.
    package func submit(_ submission: Submission) async throws(SharingError) -> Submission.Acceptance {
        try use(bytes: submission.byteCount, of: submission.sender)
        guard case .add(let users) = submission.action else { return try await take(submission) }
        let charge = try await charge(adding: users, to: submission.chat, by: submission.sender)
        return try await keeping(charge) { () async throws(SharingError) in
            let acceptance = try await take(submission)
            return (acceptance, isNew: !acceptance.isRepeat)
        }
    }

    /// Stores a submission that the server makes in a user's name, without the rate limits of users.
    ///
    /// - Throws: ``SharingError`` with the codes of the store's `submit`.
    package func take(_ submission: Submission) async throws(SharingError) -> Submission.Acceptance {
        let result = await withCheckedContinuation { continuation in
            chats.submit([submission]) { results in
                let missing = SharingError(
                    .internalError,
                    "The store didn't answer; send the same again with the same key."
                )
                continuation.resume(returning: results.first ?? .failure(missing))
            }
        }
        return try result.get()
    }

    /// Stores a user's read position, and returns after the commit; the chat lists that show it are sent the change.
    ///
    /// - Throws: ``SharingError`` with the codes of the store's `read`, and `tooManyRequests` if the reader exceeds a
    ///   rate limit.
    package func read(_ mark: ReadMark) async throws(SharingError) -> ReadPosition {
        try use(bytes: 0, of: mark.reader)
        let result = await withCheckedContinuation { continuation in
            chats.read([mark]) { results in
                let missing = SharingError(
                    .internalError,
                    "The store didn't answer; send the same again with the same key."
                )
                continuation.resume(returning: results.first ?? .failure(missing))
            }
        }
        return try result.get().position
    }

    func use(bytes: Int, of user: UserID) throws(SharingError) {
        if let error = writes.allowance(of: user).useMessage(bytes: bytes) { throw error }
    }

    /// Ends what is over at `now`, and the sessions whose sign-in is over at `signIns`, which is `now` if it is `nil`.
    func tick(_ now: Timestamp, signIns: Timestamp? = nil) {
        tickShares(now)
        onEachLoop { loop in
            loop.expire(at: now)
            loop.end { $0.hasExpired(at: signIns ?? now) }
        }
    }

    // MARK: What its loops ask

    /// Stores how far people have read.
    func read(
        _ marks: [ReadMark],
        completion: @escaping @Sendable ([Result<ReadMark.Outcome, SharingError>]) -> Void
    ) {
        chats.read(marks, completion: completion)
    }

    func submit(_ submissions: [Submission], from loop: Int, batch: Int) {
        chats.submit(submissions) { [loop = loops[loop]] results in
            // Behind the messages, which the same thread of the store has just passed on.
            loop.eventLoop.execute { loop.value.answer(CommitAnswers(batch: batch, results: results)) }
        }
    }

    func pass(_ message: Message) {
        let published = Published(unkept: message)
        pass(unkept: published)
        link.publishNow(.passed(published, last: link.gates.head(of: message.chat) ?? 0))
    }

    // MARK: What was committed

    /// Tells what the store has committed to the loops and the other nodes; called by the store alone.
    private func committed(_ commit: StoreCommit) {
        closedChanged(commit.blocks.compactMap(closed.apply))
        // At once: a chat gate may hold the messages back, and the sharer is answered.
        take(commit.messages.flatMap(\.shares))
        if !commit.messages.isEmpty { link.commit(commit.messages.map(Published.init)) }
        if !commit.shares.isEmpty {
            changed(commit.shares)
            link.publish(.shares(commit.shares))
        }
        if commit.isDoubtful { doubts.note(at: uptime()) }
        for chat in commit.started {
            started(chat)
            link.publish(.started(chat.id))
        }
        if !commit.reads.isEmpty {
            moved(commit.reads)
            link.publish(.read(commit.reads))
        }
        for block in commit.blocks { link.publish(.blocked(block)) }
        for change in commit.signIns {
            endHere(change)
            link.publish(.ended(change))
        }
    }

    /// Passes committed messages on, in order; called by the node's link alone.
    package func deliver(_ published: [Published]) {
        let shares = published.flatMap(\.shares)
        take(shares)
        for (index, loop) in loops.enumerated() {
            loop.eventLoop.execute { [published] in
                loop.value.receive(published)
                if index == 0 { self.heard(published) }
            }
        }
        sharesChanged(shares)
    }

    /// Passes a message that isn't stored on to the subscribers of this node, behind what was delivered before.
    package func pass(unkept published: Published) {
        for loop in loops { loop.eventLoop.execute { loop.value.publish(published) } }
        if published.message.share != nil { heard([published]) }
    }

    /// Passes on read positions that moved forward.
    func moved(_ moves: [ReadMove]) {
        onEachLoop { loop in
            for move in moves { loop.receive(move.mark, move.outcome) }
        }
    }

    func onEachLoop(_ body: @escaping @Sendable (HubLoop) -> Void) {
        for loop in loops {
            if loop.eventLoop.inEventLoop {
                body(loop.value)
            } else {
                loop.eventLoop.execute { body(loop.value) }
            }
        }
    }
}

extension Timestamp {
    /// The server's clock.
    package static var now: Timestamp { Timestamp(milliseconds: WallClock.milliseconds()) }
}

extension Message {
    /// Creates an unkept message, which has no number.
    init(unkept draft: MessageDraft, chat: ChatID, sender: UserID, at time: Timestamp) {
        self.init(
            chat: chat,
            number: nil,
            sender: sender,
            tag: draft.tag,
            content: draft.content,
            data: draft.data,
            time: time,
            expires: draft.expires
        )
    }
}
