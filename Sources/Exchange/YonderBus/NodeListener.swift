/// Receives messages and frames from a node's link.
///
/// `Exchange` implements it (`Exchange+Nodes.swift`), and a node's link calls it, some of it inside the mutex of the
/// gates: a function must be short, and must not call the link back there. Nothing is thrown; what needs the store is
/// done later (`NodesTests`).
package protocol NodeListener: AnyObject, Sendable {
    /// Passes committed messages on to the event loops; called in the order of their numbers in each chat: inside the mutex
    /// of the chat gates, or by the one thread of a store that has no chat gates.
    func deliver(_ published: [Published])

    /// Passes a message of another node that isn't stored on to the event loops.
    func pass(unkept published: Published)

    /// Whether this node's store has answered lately.
    var hasStore: Bool { get }

    /// Receives the content of another node's frame, unless the frame has committed messages.
    func receive(_ content: BusContent, from node: UInt64)

    /// Called when nodes have stopped or gone silent.
    func gone(_ nodes: [UInt64])

    /// Called when frames were lost: lists that follow them must be read again.
    func missedFrames()
}
