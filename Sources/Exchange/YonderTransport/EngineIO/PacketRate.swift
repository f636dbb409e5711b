import NIOCore

/// How many packets of a session are handled: so many at once, and so many a second after them.
///
/// Its state is one time: when as many packets as a burst are allowed again.
struct PacketRate {
    private let interval: TimeAmount
    private let burst: Int
    private var fullAt = NIODeadline.uptimeNanoseconds(0)

    /// - Precondition: `burst >= 1` and `perSecond >= 1`.
    init(burst: Int, perSecond: Int) {
        precondition(burst >= 1 && perSecond >= 1, "A rate needs a burst and a number a second above zero.")
        self.burst = burst
        interval = .nanoseconds(1_000_000_000 / Int64(perSecond))
    }

    /// Counts a packet.
    ///
    /// - Returns: Whether it is one of those allowed.
    mutating func take(at now: NIODeadline) -> Bool {
        let busy = max(now, fullAt)
        guard busy - now <= interval * (burst - 1) else { return false }
        fullAt = busy + interval
        return true
    }
}
