import Synchronization

/// The world on all nodes: a mutex around a node's ``WorldReplica``.
///
/// Each effect is handed over inside the mutex, so that event loops and other nodes get the effects in the order of the calls.
package final class NodeWorld: Sendable {
    private let replica: Mutex<WorldReplica>

    /// Creates the world of a node that has heard of no other.
    package init(node: UInt64) {
        replica = Mutex(WorldReplica(node: node))
    }

    /// Records events of this node's members.
    package func happened(_ events: [WorldEvent], _ perform: (WorldReplica.Change) -> Void) {
        replica.withLock { perform($0.happened(events)) }
    }

    /// Receives a frame's bytes of another node; bytes of another form change nothing.
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

    /// Shows what is known of a name that a member of this node has given up.
    package func show(_ member: WorldID, _ perform: (WorldReplica.Change) -> Void) {
        replica.withLock { perform(WorldReplica.Change(shown: $0.events(showing: member))) }
    }

    /// Called when another node asks for all pins of this node.
    ///
    /// - Returns: Whether an answer begins now, whose parts are to be taken.
    package func asked() -> Bool {
        replica.withLock { $0.asked() }
    }

    /// Hands over the next part of the answer that is under way.
    ///
    /// - Returns: Whether there was one.
    package func takePart(_ tell: (WorldNews) -> Void) -> Bool {
        replica.withLock { replica in
            guard let part = replica.takePart() else { return false }
            tell(part)
            return true
        }
    }
}
