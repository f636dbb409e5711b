import YonderModel
import YonderWire

/// The requests of a client that the server hasn't answered, and the callers that wait for these answers.
///
/// Returns what to do next; ``SharingClient`` does it. A *waiter* resumes one caller.
///
/// ```
///  add(…) before readOutbox(_:) ──▶ early
///                                     │ readOutbox(_:)
///                                     ▼          connected()             answered(_:_:), or
///  add(…) ────────────────────────▶ queued ──────────────▶ in flight ── refused(_:_:) for good ──▶ answered
///                                     ▲                        │
///                                     └─ disconnected(), or ───┘
///                                        refused(_:_:) for load
/// ```
///
/// Invariants:
///
/// 1. A message added before the outbox was read is sent after the messages of the outbox.
/// 2. Each waiter is resumed once: with the answer, the refusal, or the error that ended the client.
/// 3. A stored message is removed from the outbox when it is answered or refused for good, and not before.
/// 4. A refused message is reported if no caller waits for it, and else thrown to its callers.
/// 5. A passed message is written at most once: its caller is resumed when the connection breaks.
///
/// `SharingClient` has one, calls it for every request, answer, refusal and connection, and carries out the actions in their
/// order. Only the two checks throw. A request that was in flight when a connection broke is sent again under its key, and
/// the server answers it once; a passed one isn't. The limit of waiters may change. The invariants must stay: a message is
/// neither lost nor sent twice (decision 2, `RequestsTests`, the SDK's model).
struct Requests<Waiter: Sendable>: Sendable {
    enum Action: Sendable {
        case write(ClientFrame)
        case resume([Waiter], Result<Reply, SharingError>)

        /// Remove the message from the outbox.
        case forget(OutgoingKey)

        /// Report that the server refused a message for which no caller waits.
        case report(chat: ChatID, key: String, SharingError)

        /// Call ``Requests/resume(_:)`` after a pause of this length.
        case pause(Outgoing.Pause, Duration)

        /// Every request is answered, or the client ended.
        case idle
    }

    /// The most requests for whose answers callers wait.
    static var waiterLimit: Int { 20_000 }

    private var queue = Outgoing()

    /// The messages added before the outbox was read; `nil` once it was read.
    private var early: [OutboxEntry]? = []

    private var waiters: [OutgoingKey: [Waiter]] = [:]

    /// The requests whose messages aren't stored, and so are never sent again.
    private var passing: Set<OutgoingKey> = []

    private var isConnected = false

    /// Whether the messages of the outbox are still to be read.
    var needsOutbox: Bool { early != nil }

    /// Whether every request is answered.
    var isIdle: Bool { queue.count == 0 && early?.isEmpty != false }

    /// Checks that another caller may wait for an answer.
    ///
    /// - Throws: `tooMany`.
    func checkWaiting() throws(SharingError) {
        guard waiters.count < Self.waiterLimit else {
            throw SharingError(
                .tooMany,
                "\(Self.waiterLimit) requests wait for an answer; wait for some of them."
            )
        }
    }

    /// Checks that a message may be passed on now.
    ///
    /// - Parameter isWritable: Whether the connection can accept a frame now.
    /// - Throws: `unavailable` without a connection; `tooManyRequests`.
    func checkPassing(isWritable: Bool) throws(SharingError) {
        guard isConnected else {
            throw SharingError(
                .unavailable,
                "Not connected: send or enqueue a message that may wait for a connection."
            )
        }
        guard isWritable, passing.count < Outgoing.window else {
            throw SharingError(
                .tooManyRequests,
                "Too many messages wait to be passed on; try again after retryAfter.",
                retryAfter: .milliseconds(100)
            )
        }
    }

    // MARK: - Adding

    /// Adds a message of the outbox.
    mutating func add(_ entry: OutboxEntry, for waiter: Waiter? = nil) -> [Action] {
        wait(waiter, for: OutgoingKey(entry))
        guard early == nil else {
            early?.append(entry)
            return []
        }
        return queue.add(Outgoing.Item(entry)).map(Action.write)
    }

    /// Adds a request that the outbox doesn't store.
    mutating func add(_ id: OutgoingKey, _ frame: ClientFrame, for waiter: Waiter) -> [Action] {
        wait(waiter, for: id)
        return queue.add(Outgoing.Item(id: id, frame: frame, isKept: false)).map(Action.write)
    }

    /// Adds a message that is written now or never.
    mutating func pass(_ id: OutgoingKey, _ frame: ClientFrame, for waiter: Waiter) -> [Action] {
        wait(waiter, for: id)
        passing.insert(id)
        return [.write(frame)]
    }

    /// Call this with the messages of the outbox, once.
    ///
    /// `refusal` says why a message isn't to be sent, or `nil`; also of one that was added before.
    mutating func readOutbox(
        _ entries: [OutboxEntry],
        refusal: (OutboxEntry) -> SharingError? = { _ in nil }
    ) -> [Action] {
        let added = (early ?? []).sorted { $0.id < $1.id }
        early = nil
        return (entries + added).flatMap { entry in
            refusal(entry).map { drop(OutgoingKey(entry), $0) + [.forget(OutgoingKey(entry))] } ?? add(entry)
        } + idle()
    }

    /// Takes back a request that was never written, and resumes its callers with the error.
    ///
    /// - Returns: `nil` if it was written on some connection, or isn't known.
    mutating func withdraw(_ id: OutgoingKey, _ error: SharingError) -> [Action]? {
        queue.withdraw(id) ? answer(id, .failure(error)) + idle() : nil
    }

    // MARK: - The connection

    /// Call this when the connection is open.
    mutating func connected() -> [Action] {
        isConnected = true
        return queue.connected().map(Action.write)
    }

    /// Call this when the connection ended.
    mutating func disconnected() -> [Action] {
        isConnected = false
        queue.disconnected()
        let broken = SharingError(.unavailable, "The connection broke before the answer.")
        let actions = passing.flatMap { answer($0, .failure(broken)) }
        passing = []
        return actions
    }

    /// Call this when a pause is over.
    mutating func resume(_ pause: Outgoing.Pause) -> [Action] {
        queue.resume(pause).map(Action.write)
    }

    // MARK: - The answers

    /// Call this when a request was answered.
    mutating func answered(_ id: OutgoingKey, _ reply: Reply) -> [Action] {
        guard passing.remove(id) == nil else { return answer(id, .success(reply)) }
        let (item, frames) = queue.answered(id)
        return frames.map(Action.write) + end(item) + answer(id, .success(reply)) + idle()
    }

    /// Call this when a request was refused.
    mutating func refused(_ id: OutgoingKey, _ error: SharingError) -> [Action] {
        guard passing.remove(id) == nil else { return answer(id, .failure(error)) }
        let (refusal, frames) = queue.refused(id, error)
        let writes = frames.map(Action.write)
        switch refusal {
        case .unknown: return writes
        case .later(let pause, let wait): return writes + [.pause(pause, wait)]
        case .failed(let item):
            return writes + end(item) + drop(id, error) + idle()
        }
    }

    /// Call this when a caller's task was canceled; the request itself stays.
    mutating func canceled(_ id: OutgoingKey) -> [Action] {
        answer(id, .failure(SharingError(.unavailable, "The task was canceled.")))
    }

    /// Call this when the client ended; unanswered messages stay in the outbox.
    mutating func end(_ error: SharingError) -> [Action] {
        let waiting = waiters.values.flatMap(\.self)
        waiters = [:]
        return [.resume(waiting, .failure(error)), .idle]
    }

    // MARK: -

    private mutating func drop(_ id: OutgoingKey, _ error: SharingError) -> [Action] {
        waiters[id] == nil ? report(id, error) : answer(id, .failure(error))
    }

    private mutating func wait(_ waiter: Waiter?, for id: OutgoingKey) {
        if let waiter { waiters[id, default: []].append(waiter) }
    }

    private mutating func answer(_ id: OutgoingKey, _ result: Result<Reply, SharingError>) -> [Action] {
        waiters.removeValue(forKey: id).map { [.resume($0, result)] } ?? []
    }

    private func report(_ id: OutgoingKey, _ error: SharingError) -> [Action] {
        id.chat.map { [.report(chat: $0, key: id.key, error)] } ?? []
    }

    private func end(_ item: Outgoing.Item?) -> [Action] {
        guard let item, item.isKept else { return [] }
        return [.forget(item.id)]
    }

    private func idle() -> [Action] {
        isIdle ? [.idle] : []
    }
}

extension Requests.Action: Equatable where Waiter: Equatable {}

extension Outgoing.Item {
    fileprivate init(_ entry: OutboxEntry) {
        let frame = ClientFrame.send(SendFrame(key: entry.key, chat: entry.chat, draft: entry.draft))
        self.init(id: OutgoingKey(entry), frame: frame, isKept: true)
    }
}
