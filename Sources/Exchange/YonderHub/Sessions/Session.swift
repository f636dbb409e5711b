package import NIOCore
import YonderGeodesy
package import YonderModel
import YonderRules
import YonderBus
import YonderWire
package import YonderWorld

/// One connection on the stream: the shell around the values that decide for it.
///
/// Belongs to its event loop. A refusal is a frame, and the session goes on; a broken frame or a slow reader ends it.
///
/// | decision | value |
/// |---|---|
/// | which subscriptions there are, and which are behind | ``SubscriptionTable`` |
/// | whether the client may write now | ``SessionWrites``, ``SendOrder`` |
/// | whether the client is received from, by the reads under way | ``SessionReads`` |
/// | which read positions are stored next | ``ReadMarks`` |
/// | what the user may do with objects | ``ObjectCallerLookup`` |
/// | when replies are passed to the transport | ``ReplyBuffer`` |
///
/// When the outbox is full, up to the transport's bound, message subscriptions leave their topics, and catch up from the store once
/// there is room. Reads are bounded, too: ``read(_:then:)``. No kept message is left out or sent twice (decisions 2 and 4).
package final class Session {
    /// The signed-in user, or `nil` without an account.
    package let user: User?
    unowned let loop: HubLoop
    let lane: ReadLane
    let credential: SecretHash?

    /// The network of the client; `nil` without a socket.
    let network: String?

    /// The version of the user's account up to which the session has followed it.
    private(set) var version: Int64
    let expires: Timestamp?
    private let transport: any SessionTransport
    private var replies = ReplyBuffer()
    /// Whether the loop flushes it at the end of the round.
    private var isMarked = false
    private var isClosed = false
    private(set) var subscriptions: SubscriptionTable
    private(set) var reads: SessionReads
    private var writes: SessionWrites
    var starts = PendingStarts()
    private var marks = ReadMarks()
    private var regionMoves: TokenBucket
    private var caller: ObjectCallerLookup

    /// See ``WorldListener/worldAllowance``.
    package let worldAllowance = WorldAllowance()

    init(
        _ transport: any SessionTransport,
        loop: HubLoop,
        user: User?,
        credential: SecretHash?,
        version: Int64,
        expires: Timestamp?,
        network: String? = nil
    ) {
        self.network = network
        self.transport = transport
        self.loop = loop
        lane = loop.reads.lanes.enter(user?.id)
        self.user = user
        self.credential = credential
        self.version = version
        self.expires = expires
        let settings = loop.settings
        subscriptions = SubscriptionTable(limit: settings.subscriptionLimit)
        reads = SessionReads(limit: settings.pendingReadLimit)
        writes = SessionWrites(limit: settings.inFlightLimit)
        let rate = settings.regionMovesPerSecond
        regionMoves = TokenBucket(RateLimit(burst: rate, perSecond: rate))
        caller = ObjectCallerLookup(isSignedIn: user != nil)
    }

    // MARK: Its sign-in

    /// The number of the session or token that implicit shares belong to.
    var source: Int64? { credential?.source }

    /// Whether one of these credentials signed it in.
    func isSignedIn(by credentials: Set<SecretHash>) -> Bool {
        credential.map(credentials.contains) ?? false
    }

    /// Follows a change of its user's sign-ins: ends by it, has its client connect again, or goes on, knowing the
    /// account's new version unless it has missed an earlier change.
    func follow(_ change: SignInChange) {
        guard version < change.versions.upperBound else { return }
        switch change.ended {
        case .all: return close(.signedOut)
        case .role: return close(.renewed)
        case .credentials(let credentials):
            if isSignedIn(by: Set(credentials)) { return close(.signedOut) }
        }
        if change.versions.contains(version) { version = change.versions.upperBound }
    }

    /// Whether its credential is good no longer.
    func hasExpired(at now: Timestamp) -> Bool {
        expires.map { $0 <= now } ?? false
    }

    // MARK: What the connection tells

    /// Receives a text message from the peer.
    package func receive(_ text: ByteBuffer) {
        guard !isClosed else { return }
        do throws(FrameRefusal) {
            let frame = try text.withUnsafeReadableBytes { bytes throws(FrameRefusal) in
                try ClientFrame.parse(bytes)
            }
            handle(frame)
        } catch {
            refuse(error)
        }
    }

    /// Called when the channel becomes writable or unwritable.
    package func writabilityChanged() {
        guard isWritable else { return }
        if let pin = subscriptions.pin { loop.world.refresh(pin) }
        for id in subscriptions.takeBehind() { subscriptions[id]?.resume() }
    }

    /// Called when the connection has closed.
    package func closed() {
        guard !isClosed else { return }
        isClosed = true
        for subscription in subscriptions.takeAll() { loop.remove(subscription) }
        for read in reads.takeAll() { read.cancel() }
        writes.returnCredit()
        loop.forget(self)
    }

    // MARK: Sending

    /// Whether its outbox has room.
    package var isWritable: Bool { transport.isWritable && !isClosed }

    /// Queues frames that others share.
    @inline(__always)
    func write(_ frames: ByteBuffer) {
        writeReplies()
        transport.write(frames)
        mark()
    }

    /// Queues a frame of its own.
    func reply(_ frame: ServerFrame) {
        reply(encoded: frame.encoded())
    }

    /// Queues a frame that is written already.
    func reply(encoded frame: [UInt8]) {
        guard !isClosed else { return }
        if replies.append(frame) { writeReplies() }
        mark()
    }

    /// Sends the client the refusal of one of its frames.
    func refuse(_ refusal: FrameRefusal) {
        reply(.error(refusal))
    }

    /// Sends what is queued: once a round.
    func flushNow() {
        isMarked = false
        guard !isClosed else { return }
        writeReplies()
        transport.flush()
    }

    /// Why the exchange ends a session.
    enum Closing {
        /// Its sign-in is good no longer.
        case signedOut
        /// The user's role has changed: the client must connect again, and gets the rights of the new role.
        case renewed
        /// The server can't reach its store.
        case withoutStore
    }

    /// Ends it with the close frame of a reason.
    func close(_ closing: Closing) {
        switch closing {
        case .signedOut:
            close(WebSocketCloseCode.policyViolation, SharingError.Code.notSignedIn.rawValue)
        case .renewed:
            close(WebSocketCloseCode.tryAgainLater, "Connect again: what the account may do has changed.")
        case .withoutStore:
            close(WebSocketCloseCode.tryAgainLater, "Connect again: this server can't reach its database.")
        }
    }

    /// Ends it with a close frame.
    func close(_ code: UInt16, _ reason: String) {
        guard !isClosed else { return }
        flushNow()
        transport.close(code, reason)
        closed()
    }

    func greet() {
        let limits = StreamLimits(
            frame: Int64(loop.settings.frameLimit),
            subscriptions: Int64(loop.settings.subscriptionLimit)
        )
        var hello = Hello(user: user?.id, name: user?.name, time: loop.exchange.now(), limits: limits)
        hello.page = loop.settings.page
        hello.node = loop.exchange.link.name
        reply(.hello(hello))
    }

    @inline(__always)
    private func mark() {
        guard !isMarked else { return }
        isMarked = true
        loop.isDirty(self)
    }

    @inline(__always)
    private func writeReplies() {
        guard !replies.isEmpty else { return }
        transport.write(replies.take())
    }

    // MARK: Subscriptions

    /// Adds a subscription with a checked id.
    func insert(_ subscription: SessionSubscription, as id: Int64) {
        subscriptions.insert(subscription, as: id)
    }

    /// Ends a subscription, without a word to the client.
    ///
    /// - Returns: Whether there was one with the id.
    @discardableResult
    func drop(_ id: Int64) -> Bool {
        guard let subscription = subscriptions.remove(id) else { return false }
        loop.remove(subscription)
        return true
    }

    /// Remembers to go on with a subscription once there is room.
    func fellBehind(_ id: Int64) {
        subscriptions.fellBehind(id)
    }

    /// Admits a subscription to objects as soon as it is known what the session's user may do with them.
    func admit(_ subscription: RegionSubscription) {
        switch caller.next() {
        case .admit(let caller): loop.regions.admit(subscription, as: .success(caller))
        case .ask: askForCaller()
        case .wait: break
        }
    }

    private func askForCaller() {
        guard let user else { return }
        let accounts = loop.exchange.accounts
        read { () async throws(SharingError) in
            try await accounts.account(user.id).isOperator ? ObjectCaller.owner : .member
        } then: { [self] result in
            caller.answered(try? result.get())
            for subscription in subscriptions.unadmitted { loop.regions.admit(subscription, as: result) }
        }
    }

    /// Uses a move of a live region.
    ///
    /// - Returns: `nil` if a region may be moved now; otherwise the time to wait, and nothing is used.
    func useRegionMove() -> Duration? {
        regionMoves.take(at: loop.exchange.uptime())
    }

    // MARK: Writes

    /// Uses a write of the session's person.
    ///
    /// - Returns: `nil` if it may be written; otherwise the refusal.
    func useWrite(bytes: Int) -> SharingError? {
        writes.use(bytes: bytes, of: user?.id, in: loop.exchange.writes)
    }

    /// Uses a write for a submission; those of messages keep their order.
    ///
    /// - Returns: `nil` if it may be written; otherwise the refusal.
    func useWrite(for submission: Submission) -> SharingError? {
        let exchange = loop.exchange
        guard case .message = submission.action else {
            return writes.use(bytes: submission.byteCount, of: submission.sender, in: exchange.writes)
        }
        return writes.use(for: submission, in: exchange.writes, at: exchange.uptime())
    }

    /// Called when a frame begins to wait: for the commit, or for what decides about it.
    func writeBegan() {
        writes.begin()
    }

    /// Called when a frame that waited is answered.
    func writeEnded() {
        writes.end()
    }

    // MARK: Reads

    /// Reads from the store for this session.
    ///
    /// While ``HubSettings/pendingReadLimit`` of its reads are queued or under way, nothing more is received from the
    /// session's client; its pings are answered. Beyond the limit are only reads that continue subscriptions that fell
    /// behind, at most one for each.
    ///
    /// - Parameters:
    ///   - ask: Asks the store.
    ///   - then: Receives the answer, unless the read is canceled or the session ends before.
    /// - Returns: The read, to be canceled when its answer isn't wanted any more.
    @discardableResult
    func read<Answer: Sendable>(
        _ ask: @escaping @Sendable () async throws(SharingError) -> Answer,
        then: @escaping (Result<Answer, SharingError>) -> Void
    ) -> PendingRead {
        // The read keeps the session until it ends. A weak reference would make every later use of the session slower.
        var id: ObjectIdentifier?
        let read = loop.reads.read(in: lane, onEnd: { [self] in readEnded(id) }, ask, then: then)
        id = ObjectIdentifier(read)
        if reads.insert(read) { transport.pauseReceiving() }
        return read
    }

    /// Asks what decides about a frame before the client's next frame is received, so that frames keep their order.
    ///
    /// - Parameters:
    ///   - ask: Asks.
    ///   - then: Receives the answer, unless the session ends before.
    func decide<Answer: Sendable>(
        _ ask: @escaping @Sendable () async throws(SharingError) -> Answer,
        then: @escaping (Result<Answer, SharingError>) -> Void
    ) {
        reads.beginDecision()
        transport.pauseReceiving()
        read(ask) { [self] result in
            then(result)
            if reads.endDecision(), !isClosed { transport.resumeReceiving() }
        }
    }

    private func readEnded(_ id: ObjectIdentifier?) {
        guard let id, reads.remove(id), !isClosed else { return }
        transport.resumeReceiving()
    }

    // MARK: Read positions

    /// Stores the client's read position; there is no answer but the change in the person's chat list after the commit.
    func mark(_ chat: ChatID, _ number: Int64) {
        guard user != nil else { return refuse(FrameRefusal(SharingError.notSignedIn)) }
        guard marks.add(chat, number) else {
            let error = SharingError(
                .tooManyRequests,
                "Read positions in \(ReadMarks.limit) chats wait for the disk; send the same again after retryAfter.",
                retryAfter: .milliseconds(100)
            )
            return refuse(FrameRefusal(error))
        }
        storeMarks()
    }

    private func storeMarks() {
        guard !isClosed, let user, let next = marks.next() else { return }
        let submitted = next.map { ReadMark(chat: $0.chat, reader: user.id, number: $0.number) }
        let session = NIOLoopBound(self, eventLoop: loop.eventLoop)
        loop.exchange.read(submitted) { results in
            session.eventLoop.execute { session.value.answerMarks(results) }
        }
    }

    private func answerMarks(_ results: [Result<ReadMark.Outcome, SharingError>]) {
        marks.answered()
        guard !isClosed else { return }
        for case .failure(let error) in results { refuse(FrameRefusal(error)) }
        storeMarks()
    }
}

extension Session: WorldListener {
    package var worldForm: WorldForm { .stream }

    package func deliver(_ delivery: WorldDelivery) {
        if case .frames(let frames) = delivery { write(frames) }
    }

    /// The round's end flushes every session that was written to; so nothing is left to do here.
    package func flush() {}
}
