// Long: the frames of a node are numbered, published and received by the one owner of its roll.

package import Logging
import Synchronization
package import YonderGeodesy
import YonderModel
package import YonderRules

/// A node's part in its cluster: numbers its frames, receives those of the others, and reads missed messages from the store.
///
/// A node that is alone has a link, too. Over a store with one writer it passes commits on as they come; over a store with
/// several, the chat gates put them in the order of their numbers.
///
/// Any thread may call. A frame that was lost, repeated, overtaken or can't be read harms nothing: the gates notice the
/// missing number, and the node reads the store instead; one that can't be read is counted. A silent node is removed, with
/// its users and pins. Frames are published in the order of their numbers, and heartbeats never wait for the database
/// (decision 32).
package final class NodeLink: Sendable {
    private struct State {
        weak var listener: (any NodeListener)?
        var number: UInt64 = 0
        var roll: NodeRoll
        var sweepsNow = false

        /// Whether the bus carries frames.
        var hasBus = false

        /// When `missedFrames` was last called, and whether it must be called again.
        var lastMissed: ContinuousClock.Instant?
        var owesMissed = false

        /// The nodes that were asked for their users and pins, and haven't answered.
        var unanswered: Set<UInt64> = []

        /// The nodes whose store has answered them lately.
        var withStore: Set<UInt64> = []

        /// Messages that aren't stored, and wait for the commits that the sending node knew.
        var early = EarlyPasses()
    }

    /// The least time between two calls of `missedFrames`, because the listener reads every list again at each.
    private static let missedInterval = Duration.seconds(1)

    /// How old a frame with a message or a question that isn't stored may be; an older frame is dropped.
    private static let shortLife = Duration.seconds(10)

    /// Names this node on the bus.
    package let node: UInt64

    /// The chat gates of the node.
    package let gates: ChatGates

    /// The requests to other nodes, and from other nodes.
    package let requests: NodeRequests

    private let bus: any Bus

    /// Reads what the chat gates miss; `nil` without chat gates.
    private let repair: GateRepair?
    private let now: @Sendable () -> Timestamp
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger
    private let unreadable: UnreadableFrames
    private let state: Mutex<State>

    /// Creates a node's link; it receives nothing before ``start(_:)``.
    ///
    /// - Parameters:
    ///   - bus: The wire to the other nodes.
    ///   - log: Reads the commits that the gates miss; `nil` for a store whose one writer tells its commits in their order,
    ///     and which no other node writes to.
    ///   - node: Names the node; random by default.
    ///   - silence: How long another node may send nothing before its users and pins are removed.
    ///   - now: The server's time.
    ///   - uptime: The monotonic time.
    ///   - sleep: Waits for a time; throws when cancelled.
    ///   - logger: Receives events for operators.
    package init(
        bus: any Bus,
        log: (any CommitLog)?,
        node: UInt64 = .random(in: 1 ... .max),
        silence: Duration = NodeRoll.patience,
        now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        logger: Logger
    ) {
        self.bus = bus
        self.node = node
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
        self.logger = logger
        unreadable = UnreadableFrames(logger: logger)
        state = Mutex(State(roll: NodeRoll(patience: silence)))
        gates = ChatGates(isAlone: bus.isAlone)
        repair = log.map { [gates] in
            GateRepair(of: gates, from: $0, uptime: uptime, sleep: sleep, logger: logger)
        }
        requests = NodeRequests()
    }

    /// The node's name for people and programs, or `nil` for a node that is alone.
    package var name: String? { isAlone ? nil : String(node, radix: 16) }

    /// Whether there are no other nodes, so that nothing is published.
    package var isAlone: Bool { bus.isAlone }

    /// Whether messages pass chat gates, because the store tells commits by several threads, or to several nodes.
    package var hasGates: Bool { repair != nil }

    /// The other nodes that have sent a frame, and haven't stopped or gone silent since.
    package var others: Set<UInt64> { state.withLock { $0.roll.nodes } }

    /// Counts and states of the node, for operators.
    package var report: NodeReport {
        let (hasBus, others) = state.withLock { ($0.hasBus, $0.roll.nodes.count) }
        var counts = bus.counts
        counts.unreadable = unreadable.count
        return NodeReport(hasBus: hasBus, others: others, bus: counts, gates: gates.counts)
    }

    /// Whether every other node has answered, and no list has to be read again.
    var isSettled: Bool { state.withLock { $0.hasBus && $0.unanswered.isEmpty && !$0.owesMissed } }

    /// Begins to pass received frames on to the listener.
    package func start(_ listener: any NodeListener) {
        state.withLock { $0.listener = listener }
        bus.start { [weak self] event in self?.receive(event) }
    }

    // MARK: Publishing

    /// Delivers the messages of this node's own commit, through the chat gates where there are any, and publishes them to
    /// the other nodes.
    ///
    /// - Parameter published: The messages, in the order of the commit.
    package func commit(_ published: [Published]) {
        guard !published.isEmpty else { return }
        if hasGates {
            gates.receive(published, at: uptime()) { deliver($0) }
            settle()
        } else {
            deliver(published)
        }
        guard !bus.isAlone else { return }
        var frame: [Published] = []
        var bytes = 0
        for message in published {
            if bytes + message.byteCount > BusFrame.byteLimit / 2, !frame.isEmpty {
                publish(.committed(frame))
                (frame, bytes) = ([], 0)
            }
            frame.append(message)
            bytes += message.byteCount
        }
        publish(.committed(frame))
    }

    /// Publishes content that isn't stored and is of use only now; without a bus, nothing is sent.
    ///
    /// Queued until the bus is back, a `keep: false` message could reach a user who joined the chat after it was sent.
    package func publishNow(_ content: @autoclosure () -> BusContent) {
        guard !bus.isAlone, state.withLock({ $0.hasBus }) else { return }
        publish(content())
    }

    /// Publishes a frame to the other nodes.
    package func publish(_ content: @autoclosure () -> BusContent) {
        guard !bus.isAlone else { return }
        let content = content()
        // Inside the mutex, so that frames are published in the order of their numbers.
        state.withLock { state in
            state.number += 1
            let bytes = BusFrame(node: node, number: state.number, sent: now(), content: content).encoded()
            assert((try? BusFrame(bytes)) != nil, "Other nodes can't read \(content).")
            bus.publish(bytes)
        }
    }

    // MARK: Receiving

    private func receive(_ event: BusEvent) {
        switch event {
        case .frame(let bytes):
            guard let frame = try? BusFrame(bytes) else {
                return receive(unreadable: bytes)
            }
            if frame.node != node { receive(frame) }
        case .connected:
            state.withLock { $0.hasBus = true }
            logger.info("Bus connected")
            publish(.alive(hasStore: hasStore))
            missed()
        case .away:
            state.withLock { $0.hasBus = false }
            logger.warning("Bus away: messages of other nodes are read from the store")
        case .lost: missed()
        }
    }

    private func receive(unreadable bytes: [UInt8]) {
        unreadable.note(bytes.count, at: uptime())
        // Its number counts as received: the node's next frame has no gap before it, and the node isn't asked for all of its users.
        if let head = BusFrame.head(of: bytes), head.node != node {
            state.withLock { _ = $0.roll.receive(node: head.node, number: head.number, at: uptime()) }
        }
        missed()
    }

    private func receive(_ frame: BusFrame) {
        let reception = state.withLock {
            $0.roll.receive(node: frame.node, number: frame.number, at: uptime())
        }
        // A node that was silent for too long is new again; this node has missed the frames before.
        if reception == .gap || reception == .new && frame.number > 1 { missed() }
        if reception == .new || reception == .gap { ask(frame.node) }
        if case .committed(let published) = frame.content {
            let lateness = now().milliseconds - frame.sent.milliseconds
            gates.receive(published, at: uptime(), lateness: lateness) { deliver($0) }
            settle()
            return passEarly()
        }
        if case .objectsChanged = frame.content {
            listener?.receive(frame.content, from: frame.node)
            return
        }
        // A repeated or overtaken frame is of use for the gates alone, which put commits and changes in order.
        guard reception != .old else { return }
        switch frame.content {
        case .alive(let hasStore):
            state.withLock { state in
                let isIn = hasStore && state.roll.knows(frame.node)
                if isIn { state.withStore.insert(frame.node) } else { state.withStore.remove(frame.node) }
            }
        case .leaving:
            state.withLock { state in
                state.roll.remove(frame.node)
                state.withStore.remove(frame.node)
                state.unanswered.remove(frame.node)
            }
            gone([frame.node])
        case .passed, .asked:
            guard now() - frame.sent < Self.shortLife else { break }
            if case .passed(let published, let last) = frame.content {
                pass(published, behind: last)
            } else {
                listener?.receive(frame.content, from: frame.node)
            }
        case .ask(let asked) where asked != node: break
        case .request(let asked, let number, let bytes):
            if asked == node { answer(bytes, to: number, of: frame.node) }
        case .answer(let part): if part.node == node { requests.receive(part, from: frame.node) }
        case .present(let page):
            if page.isLast { state.withLock { _ = $0.unanswered.remove(frame.node) } }
            listener?.receive(frame.content, from: frame.node)
        default: listener?.receive(frame.content, from: frame.node)
        }
    }

    private var hasStore: Bool { listener?.hasStore ?? true }

    /// Whether another node that is heard of has a store that answers.
    package var othersHaveStore: Bool { state.withLock { !$0.withStore.isEmpty } }

    private var listener: (any NodeListener)? { state.withLock { $0.listener } }

    private func gone(_ nodes: [UInt64]) {
        requests.cancel(to: nodes)
        listener?.gone(nodes)
    }

    /// Sends a request to a node, and waits for its answer.
    ///
    /// - Parameters:
    ///   - other: The node's number.
    ///   - bytes: The request, at most ``NodeRequests/byteLimit`` bytes.
    ///   - timeout: How long to wait; checked with each heartbeat, so the wait may take a second longer.
    /// - Returns: The answer; `nil` if the request is too long, or if the node is unknown, can't answer, or doesn't answer
    ///   in time.
    package func ask(_ other: UInt64, _ bytes: [UInt8], within timeout: Duration) async -> [UInt8]? {
        guard others.contains(other), bytes.count <= NodeRequests.byteLimit else { return nil }
        return await requests.ask(other, until: uptime() + timeout) {
            publish(.request(to: other, number: $0, bytes))
        }
    }

    /// Sends a request to a node; the answer is dropped, as no request that waits has the number 0.
    package func tell(_ other: UInt64, _ bytes: [UInt8]) {
        guard others.contains(other), bytes.count <= NodeRequests.byteLimit else { return }
        publish(.request(to: other, number: 0, bytes))
    }

    private func answer(_ bytes: [UInt8], to request: UInt64, of other: UInt64) {
        requests.receive(bytes) { [weak self] answer in
            for part in AnswerPart.parts(of: answer, to: request, of: other) { self?.publish(.answer(part)) }
        }
    }

    /// Asks a node for its users and pins, now and with each heartbeat until the node answers, because a frame may be lost.
    private func ask(_ other: UInt64) {
        state.withLock { if $0.roll.knows(other) { $0.unanswered.insert(other) } }
        publish(.ask(other))
    }

    /// Called when frames were lost: every gate is compared with the store, and lists are read again, at most once a second.
    package func missed() {
        let isDue = state.withLock { state in
            state.sweepsNow = true
            let now = uptime()
            let isTooSoon = state.lastMissed.map { now - $0 < Self.missedInterval } ?? false
            state.owesMissed = isTooSoon
            if !isTooSoon { state.lastMissed = now }
            return !isTooSoon
        }
        if isDue { listener?.missedFrames() }
    }

    /// Called when it isn't known what a commit of this node has made: every node reads everything again.
    package func doubt() {
        state.withLock { $0.number += 1 }
        missed()
    }

    /// Delivers a `keep: false` message after the commits that its sender's node had delivered.
    ///
    /// A `Leave` among these commits takes effect first, so that the user who left doesn't get the message.
    private func pass(_ published: Published, behind last: Int64) {
        let head = gates.head(of: published.message.chat)
        guard let head, head < last else { listener?.pass(unkept: published); return }
        state.withLock { $0.early.append(published, behind: last, at: uptime()) }
    }

    /// Delivers the messages whose commits have passed meanwhile, and drops those that have waited too long.
    private func passEarly() {
        var waiting = state.withLock { $0.early.takeAll() }
        guard !waiting.isEmpty else { return }
        let ready = waiting.takeReady(at: uptime()) { gates.head(of: $0) }
        for published in ready { listener?.pass(unkept: published) }
        state.withLock { [waiting] in $0.early.putBack(waiting) }
    }

    // MARK: Reading missed messages

    /// Has the reads made that gates want, until they want none; returns at once.
    private func settle() {
        repair?.settle {
            self.deliver($0)
        } passed: {
            self.passEarly()
        }
    }

    /// Passes messages on to the event loops of this node; call it inside the mutex of the gates.
    package func deliver(_ published: [Published]) {
        if !published.isEmpty { listener?.deliver(published) }
    }

    /// Sends heartbeats, removes silent nodes, and compares gates with the store, until cancelled.
    ///
    /// Heartbeats don't wait for comparisons: a node must not seem dead because the database doesn't answer.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if !bus.isAlone { group.addTask { try await self.beat() } }
            if hasGates { group.addTask { try await self.compare() } }
            try await group.waitForAll()
        }
    }

    private func beat() async throws {
        while true {
            publish(.alive(hasStore: hasStore))
            requests.expire(at: uptime())
            let dead = state.withLock { state in
                let dead = state.roll.takeDead(at: uptime())
                state.unanswered.subtract(dead)
                state.withStore.subtract(dead)
                return dead
            }
            for node in state.withLock({ $0.unanswered }) { publish(.ask(node)) }
            if !dead.isEmpty {
                logger.warning("Nodes gone silent", metadata: ["count": "\(dead.count)"])
                gone(dead)
                missed()
            }
            if state.withLock({ $0.owesMissed }) { missed() }
            passEarly()
            try await sleep(.seconds(1))
        }
    }

    private func compare() async throws {
        var second = 0
        while true {
            let isUrgent = state.withLock { state in
                defer { state.sweepsNow = false }
                return state.sweepsNow
            }
            if isUrgent || second.isMultiple(of: 2) { await sweep(isUrgent: isUrgent) }
            if bus.isAlone, state.withLock({ $0.owesMissed }) { missed() }
            second += 1
            try await sleep(.seconds(1))
        }
    }

    /// Compares every gate with the store, and has missing messages read.
    private func sweep(isUrgent: Bool) async {
        if await repair?.sweep(isUrgent: isUrgent) ?? false { missed() }
        settle()
    }

    /// Publishes that the node stops.
    package func leave() {
        publish(.leaving)
    }
}
