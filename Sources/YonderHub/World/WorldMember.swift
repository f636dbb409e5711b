import NIOCore

/// One connection in the world: who it is there, where, and how fast it may move.
///
/// Belongs to its listener's event loop.
package final class WorldMember {
    /// How others see it.
    package let id: WorldID

    let listener: any WorldListener

    /// What names the subscription in a stream's answer; 0 elsewhere.
    let subscription: Int64

    /// The last position, as written; empty before the first.
    var position: [UInt8] = []
    var allowance: Allowance

    /// Where it is among its loop's members.
    var index = 0

    /// The first of the round's events that it hasn't been shown by its snapshot.
    var firstEvent = 0

    /// Which of the round's events are its own, which it isn't shown.
    var ownEvents: [Int] = []

    /// Whether it missed a round and needs everything afresh.
    var isStale = false

    init(id: WorldID, listener: any WorldListener, subscription: Int64, allowance: Allowance) {
        self.id = id
        self.listener = listener
        self.subscription = subscription
        self.allowance = allowance
    }
}

/// How many packets may still come: `rate` a second, at most `rate` at once.
struct Allowance {
    private let rate: Double
    private var left: Double
    private var time: NIODeadline

    init(rate: Int, at time: NIODeadline) {
        self.rate = Double(rate)
        left = Double(rate)
        self.time = time
    }

    /// How long it takes until there is one more.
    var interval: TimeAmount { .nanoseconds(Int64((1e9 / max(1, rate)).rounded(.up))) }

    /// Takes one; `false` if none is left.
    mutating func take(at now: NIODeadline) -> Bool {
        let elapsed = Double((now - time).nanoseconds) / 1e9
        left = min(rate, left + elapsed * rate)
        time = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
