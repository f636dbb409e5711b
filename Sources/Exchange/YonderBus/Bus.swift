/// Carries frames between the nodes of a cluster: fast, and without a promise of delivery.
///
/// A frame may be lost, repeated or late. Data that must not be lost is in the store, where a chat gate or a lane gate reads
/// it (``ChatGate``, ``LaneGate``).
package protocol Bus: Sendable {
    /// Whether no other node can receive frames; the caller then encodes none.
    var isAlone: Bool { get }

    /// Counts of frames since the start.
    var counts: BusCounts { get }

    /// Begins to receive events; called once.
    ///
    /// - Parameter receive: Called for one event after the other; must not block.
    func start(_ receive: @escaping @Sendable (BusEvent) -> Void)

    /// Sends a frame to all other nodes, in the order of the calls; drops the frame if the queue is full.
    ///
    /// - Parameter frame: At most ``BusFrame/byteLimit`` bytes.
    func publish(_ frame: [UInt8])

    /// Sends the queued frames, if the connection allows it soon, and ends.
    func close() async
}

/// An event of a bus.
package enum BusEvent: Hashable, Sendable {
    /// A frame of another node.
    case frame([UInt8])
    /// The bus carries frames; frames of other nodes may have been lost before.
    case connected
    /// The bus carries no frames until further notice.
    case away
    /// Frames were lost.
    case lost
}
