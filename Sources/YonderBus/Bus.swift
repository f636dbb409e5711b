/// Carries frames between the nodes of a cluster: fast, and with no promise.
///
/// A frame may be lost, come twice, or come late. What must not be lost is in the store, and a ``ChatGate`` reads it there.
package protocol Bus: Sendable {
    /// Whether there is no other node that could hear; then nothing is encoded for it.
    var isAlone: Bool { get }

    /// What was carried since the start.
    var counts: BusCounts { get }

    /// Begins to pass on what comes; called once.
    ///
    /// `receive` is called for one event after the other, and must not block.
    func start(_ receive: @escaping @Sendable (BusEvent) -> Void)

    /// Sends a frame to all other nodes, in the order of the calls; drops it if too much is waiting.
    ///
    /// - Parameter frame: At most ``BusFrame/byteLimit`` bytes.
    func publish(_ frame: [UInt8])

    /// Sends what is waiting, if that can be done soon, and ends.
    func close() async
}

/// What a bus passes on.
package enum BusEvent: Hashable, Sendable {
    /// A frame of another node.
    case frame([UInt8])
    /// The bus carries frames; others' may have been lost before.
    case connected
    /// The bus carries no frames until further notice.
    case away
    /// Frames were lost.
    case lost
}
