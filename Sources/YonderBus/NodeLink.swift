package import Logging
import Synchronization
package import YonderGeodesy
import YonderModel

/// What a node's exchange does with what its link hears.
package protocol NodeListener: AnyObject, Sendable {
    /// Passes messages on to the event loops; called in the order in which they passed the gates, inside their mutex.
    func deliver(_ published: [Published])

    /// Receives what another node tells that isn't a commit.
    func receive(_ content: BusContent, from node: UInt64)

    /// Called when nodes have stopped or gone silent.
    func gone(_ nodes: [UInt64])

    /// Called when frames were lost: lists that follow them must be read again.
    func missedFrames()
}

/// A node's part in its cluster: numbers its frames, hears the others', and has what was missed read from the store.
///
/// A node that is alone has one, too: its gates find a commit that is delivered out of turn.
package final class NodeLink: Sendable {
    private struct State {
        weak var listener: (any NodeListener)?
        var number: UInt64 = 0
        var roll = NodeRoll()
        var isSettling = false
        var sweepsNow = false

        /// Messages that aren't stored, and wait for the commits that their node knew.
        var early: [EarlyPass] = []
    }

    /// A message that isn't stored, from a node that is ahead of this one.
    private struct EarlyPass {
        let published: Published
        let last: Int64
        let until: ContinuousClock.Instant
    }

    /// How many messages that aren't stored wait at most.
    private static let earlyLimit = 1_024

    /// How long a message that isn't stored waits for commits that it follows.
    private static let earlyPatience = Duration.seconds(1)

    /// How many messages are read at once for a gate.
    private static let pageLimit = 128

    /// How many chats are asked for at once in a sweep.
    private static let sweepLimit = 1_024

    /// Names this node on the bus.
    package let node: UInt64

    /// The gates of the node.
    package let gates: ChatGates

    private let bus: any Bus
    private let log: (any CommitLog)?
    private let now: @Sendable () -> Timestamp
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger
    private let state = Mutex(State())

    /// Creates a node's link; it hears nothing before ``start(_:)``.
    ///
    /// - Parameters:
    ///   - bus: The wire to the other nodes.
    ///   - log: Reads what other nodes committed; `nil` for a node that is alone.
    ///   - node: Names the node; random by default.
    ///   - now: The server's time.
    ///   - uptime: The monotonic time.
    ///   - sleep: Waits for a time; throws when cancelled.
    ///   - logger: Where to say what an operator should know.
    package init(
        bus: any Bus,
        log: (any CommitLog)?,
        node: UInt64 = .random(in: 1 ... .max),
        now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        logger: Logger
    ) {
        self.bus = bus
        self.log = log
        self.node = node
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
        self.logger = logger
        gates = ChatGates(isAlone: bus.isAlone)
    }

    /// The node's name for people and programs, or `nil` for a node that is alone.
    package var name: String? { isAlone ? nil : String(node, radix: 16) }

    /// Whether no other node can hear.
    package var isAlone: Bool { bus.isAlone }

    /// The other nodes that are heard of.
    package var others: Set<UInt64> { state.withLock { $0.roll.nodes } }

    /// Begins to pass on what is heard.
    package func start(_ listener: any NodeListener) {
        state.withLock { $0.listener = listener }
        bus.start { [weak self] event in self?.receive(event) }
    }

    // MARK: Telling

    /// Delivers this node's own commits through the gates, and tells the others.
    ///
    /// - Parameters:
    ///   - published: The messages, in the order of the commit.
    ///   - deliver: Called once with those that pass here.
    package func commit(_ published: [Published], _ deliver: ([Published]) -> Void) {
        gates.receive(published, at: uptime(), deliver)
        settle()
        guard !bus.isAlone, !published.isEmpty else { return }
        var frame: [Published] = []
        var bytes = 0
        for message in published {
            if bytes + message.byteCount > BusFrame.byteLimit / 2, !frame.isEmpty {
                tell(.committed(frame))
                (frame, bytes) = ([], 0)
            }
            frame.append(message)
            bytes += message.byteCount
        }
        tell(.committed(frame))
    }

    /// Tells the other nodes something.
    package func tell(_ content: @autoclosure () -> BusContent) {
        guard !bus.isAlone else { return }
        let content = content()
        // Inside the mutex, so that frames are published in the order of their numbers.
        state.withLock { state in
            state.number += 1
            bus.publish(BusFrame(node: node, number: state.number, sent: now(), content: content).encoded())
        }
    }

    // MARK: Hearing

    private func receive(_ event: BusEvent) {
        switch event {
        case .frame(let bytes):
            guard let frame = try? BusFrame(bytes) else { return missed() }
            if frame.node != node { receive(frame) }
        case .connected:
            logger.info("Bus connected")
            tell(.alive)
            missed()
        case .away: logger.warning("Bus away: other nodes are heard through the store")
        case .lost: missed()
        }
    }

    private func receive(_ frame: BusFrame) {
        let reception = state.withLock {
            $0.roll.receive(node: frame.node, number: frame.number, at: uptime())
        }
        if reception == .gap { missed() }
        if reception == .new || reception == .gap { tell(.askPresence(frame.node)) }
        if case .committed(let published) = frame.content {
            let lateness = now().milliseconds - frame.sent.milliseconds
            gates.receive(published, at: uptime(), lateness: lateness) { deliver($0) }
            settle()
            return passEarly()
        }
        // What came before may have been overtaken: only the gates know what to do with it.
        guard reception != .old else { return }
        switch frame.content {
        case .alive: break
        case .leaving:
            state.withLock { $0.roll.remove(frame.node) }
            listener?.gone([frame.node])
        case .passed(let published, let last): pass(published, behind: last)
        case .askPresence(let asked) where asked != node: break
        default: listener?.receive(frame.content, from: frame.node)
        }
    }

    private var listener: (any NodeListener)? { state.withLock(\.listener) }

    /// Called when frames were lost: every gate is compared with the store, and lists are read again.
    private func missed() {
        state.withLock { $0.sweepsNow = true }
        listener?.missedFrames()
    }

    /// Passes on a message that isn't stored, once the commits that its node knew have passed: whoever has left by then gets nothing.
    private func pass(_ published: Published, behind last: Int64) {
        let head = gates.head(of: published.message.chat)
        guard let head, head < last else { listener?.deliver([published]); return }
        let until = uptime() + Self.earlyPatience
        state.withLock { state in
            guard state.early.count < Self.earlyLimit else { return }
            state.early.append(EarlyPass(published: published, last: last, until: until))
        }
    }

    /// Passes on what waited for commits that have passed, and drops what has waited for too long.
    private func passEarly() {
        let now = uptime()
        let waiting = state.withLock { state in
            defer { state.early = [] }
            return state.early
        }
        guard !waiting.isEmpty else { return }
        var left: [EarlyPass] = []
        for pass in waiting where pass.until > now {
            if gates.head(of: pass.published.message.chat) ?? .max >= pass.last {
                listener?.deliver([pass.published])
            } else {
                left.append(pass)
            }
        }
        state.withLock { $0.early = left + $0.early }
    }

    // MARK: Reading what was missed

    /// Has reads made that gates wish for, now and until none does; returns at once.
    private func settle() {
        guard !gates.isSettled else { return }
        let begins = state.withLock { state in
            defer { state.isSettling = true }
            return !state.isSettling
        }
        guard begins else { return }
        Task {
            while !gates.isSettled {
                await readWishes()
                passEarly()
                try? await sleep(.milliseconds(5))
            }
            state.withLock { $0.isSettling = false }
            // A gate may have begun to hold a message after the loop above ended and before the flag was cleared.
            settle()
        }
    }

    private func readWishes() async {
        for (chat, wish) in gates.takeWishes(at: uptime()) {
            guard let log else {
                logger.error(
                    "A node that is alone was told a commit out of turn",
                    metadata: ["chat": "\(chat)"]
                )
                let below = wish.below ?? wish.after + 1
                gates.receive(read: [], of: chat, first: below, isComplete: true, at: uptime()) {
                    deliver($0)
                }
                continue
            }
            do throws(SharingError) {
                let page = try await log.stored(
                    in: chat,
                    after: wish.after,
                    below: wish.below,
                    count: Self.pageLimit
                )
                gates.receive(
                    read: page.published,
                    of: chat,
                    first: page.chat.first,
                    isComplete: page.isComplete,
                    at: uptime()
                ) { deliver($0) }
            } catch {
                gates.readFailed(of: chat, at: uptime())
            }
        }
    }

    /// Passes messages on to the event loops of this node; call it inside the mutex of the gates.
    package func deliver(_ published: [Published]) {
        if !published.isEmpty { listener?.deliver(published) }
    }

    /// Tells others that the node runs, notices which have gone, and sweeps, until cancelled.
    package func run() async throws {
        guard !bus.isAlone else { return }
        var second = 0
        while true {
            tell(.alive)
            let dead = state.withLock { $0.roll.takeDead(at: uptime()) }
            if !dead.isEmpty {
                logger.warning("Nodes gone silent", metadata: ["count": "\(dead.count)"])
                listener?.gone(dead)
                missed()
            }
            let isUrgent = state.withLock { state in
                defer { state.sweepsNow = false }
                return state.sweepsNow
            }
            if isUrgent || second.isMultiple(of: 2) { await sweep(isUrgent: isUrgent) }
            passEarly()
            second += 1
            try await sleep(.seconds(1))
        }
    }

    /// Compares every gate with the store.
    package func sweep(isUrgent: Bool) async {
        guard let log else { return }
        let chats = gates.chats
        for start in stride(from: 0, to: chats.count, by: Self.sweepLimit) {
            let part = Array(chats[start..<min(start + Self.sweepLimit, chats.count)])
            if let lasts = try? await log.lasts(of: part) { gates.sweep(lasts, isUrgent: isUrgent) }
        }
        settle()
    }

    /// Tells the others that the node stops.
    package func leave() {
        tell(.leaving)
    }
}
