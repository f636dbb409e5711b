import Synchronization

/// The bus of nodes in one process: of a server without a cluster, which is alone, or of several exchanges in a test.
///
/// `Exchange` uses one by default, `ServerProcess` without `--bus`; tests connect several to try clusters in one
/// process. Beyond the limit of frames that wait, further ones are lost, which the receivers notice by their numbers, as
/// with NATS. It is the test double of `NATSBus`: both must behave alike, frames of one node in order, none to itself
/// (`NodesTests`, `NATSBusTests`).
package final class InProcessBus: Bus {
    /// The nodes that receive one another's frames.
    package final class Medium: Sendable {
        private struct State {
            var nodes = 0
            var listeners: [Int: AsyncStream<BusEvent>.Continuation] = [:]
        }

        /// How many events wait for a node at most; later ones are lost.
        private static let limit = 65_536

        private let state = Mutex(State())

        /// How often a frame arrives on its way from a node to another.
        private let fate: @Sendable (_ frame: [UInt8], _ from: Int, _ to: Int) -> Int

        /// Creates a medium without nodes.
        ///
        /// - Parameter fate: Returns how often a frame arrives: 0 loses the frame, 2 repeats it. By default each arrives once.
        package init(fate: @escaping @Sendable ([UInt8], Int, Int) -> Int = { _, _, _ in 1 }) {
            self.fate = fate
        }

        /// A further node's bus.
        package func join() -> InProcessBus {
            let node = state.withLock { state in
                defer { state.nodes += 1 }
                return state.nodes
            }
            return InProcessBus(medium: self, node: node)
        }

        fileprivate func add(_ node: Int, _ receive: @escaping @Sendable (BusEvent) -> Void) {
            let (events, continuation) = AsyncStream.makeStream(
                of: BusEvent.self,
                bufferingPolicy: .bufferingOldest(Self.limit)
            )
            continuation.yield(.connected)
            state.withLock { $0.listeners[node] = continuation }
            Task { for await event in events { receive(event) } }
        }

        fileprivate func pass(_ frame: [UInt8], from node: Int) {
            for (other, listener) in state.withLock({ $0.listeners }) where other != node {
                for _ in 0..<fate(frame, node, other) { listener.yield(.frame(frame)) }
            }
        }

        /// Ends the events of a node, as if the node were gone.
        fileprivate func remove(_ node: Int) {
            state.withLock { $0.listeners.removeValue(forKey: node) }?.finish()
        }
    }

    private let medium: Medium?
    private let node: Int

    /// The bus of a node that is alone.
    package init() {
        medium = nil
        node = 0
    }

    private init(medium: Medium, node: Int) {
        self.medium = medium
        self.node = node
    }

    deinit {
        medium?.remove(node)
    }

    package var isAlone: Bool { medium == nil }

    /// Always 0: frames within a process aren't counted.
    package var counts: BusCounts { BusCounts() }

    package func start(_ receive: @escaping @Sendable (BusEvent) -> Void) {
        medium?.add(node, receive)
    }

    package func publish(_ frame: [UInt8]) {
        medium?.pass(frame, from: node)
    }

    package func close() async {
        medium?.remove(node)
    }
}
