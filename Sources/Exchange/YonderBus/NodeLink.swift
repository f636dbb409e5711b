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
    /// What changes under the link's mutex.
    struct State {
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

    /// Names this node on the bus.
    package let node: UInt64

    /// The chat gates of the node.
    package let gates: ChatGates

    /// The requests to other nodes, and from other nodes.
    package let requests: NodeRequests

    let bus: any Bus

    /// Reads what the chat gates miss; `nil` without chat gates.
    let repair: GateRepair?
    let now: @Sendable () -> Timestamp
    let uptime: @Sendable () -> ContinuousClock.Instant
    let sleep: @Sendable (Duration) async throws -> Void
    let logger: Logger
    let unreadable: UnreadableFrames
    let state: Mutex<State>

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

    /// Publishes that the node stops.
    package func leave() {
        publish(.leaving)
    }

    // MARK: States

    /// Whether this node's store answers.
    var hasStore: Bool { listener?.hasStore ?? true }

    /// Whether another node that is heard of has a store that answers.
    package var othersHaveStore: Bool { state.withLock { !$0.withStore.isEmpty } }

    /// Receives what other nodes send; `nil` before ``start(_:)`` and after the listener was released.
    var listener: (any NodeListener)? { state.withLock { $0.listener } }
}
