import Synchronization

/// The world on all nodes: a mutex around a node's ``WorldReplica``.
///
/// The closures are called inside the mutex, so that event loops and other nodes receive changes in the order of the calls.
///
/// `Exchange` has one; its event loops and the frames of other nodes call it, on any thread. Nothing throws. A closure
/// must be short and must not call back, or the mutex is locked twice. What is decided is in ``WorldReplica`` (decision
/// 33, `NodesWorldTests`).
package final class NodeWorld: Sendable {
    private let replica: Mutex<WorldReplica>

    /// Creates the world of a node that has received no frame yet.
    package init(node: UInt64) {
        replica = Mutex(WorldReplica(node: node))
    }

    /// Records events of this node's members.
    package func happened(_ events: [WorldEvent], _ perform: (WorldReplica.Change) -> Void) {
        replica.withLock { perform($0.happened(events)) }
    }

    /// Receives the bytes of another node's news; bytes that can't be decoded are ignored.
    package func receive(_ bytes: [UInt8], from node: UInt64, _ perform: (WorldReplica.Change) -> Void) {
        guard let news = try? WorldNews(bytes) else { return }
        replica.withLock { perform($0.receive(news, from: node)) }
    }

    /// Removes nodes that are gone, with their pins.
    package func remove(_ nodes: [UInt64], _ perform: (WorldReplica.Change) -> Void) {
        replica.withLock { replica in
            for node in nodes { perform(replica.remove(node)) }
        }
    }

    /// Shows another node's member under a name that a member of this node has given up.
    package func show(_ member: WorldID, _ perform: (WorldReplica.Change) -> Void) {
        replica.withLock { perform(WorldReplica.Change(shown: $0.events(showing: member))) }
    }

    /// Called when another node asks for all pins of this node.
    ///
    /// - Returns: Whether an answer begins now, so that ``takePart(_:)`` must be called until it returns `false`.
    package func asked() -> Bool {
        replica.withLock { $0.asked() }
    }

    /// Passes the next part of the answer that is under way to `tell`.
    ///
    /// - Returns: Whether there was a part.
    package func takePart(_ tell: (WorldNews) -> Void) -> Bool {
        replica.withLock { replica in
            guard let part = replica.takePart() else { return false }
            tell(part)
            return true
        }
    }
}
