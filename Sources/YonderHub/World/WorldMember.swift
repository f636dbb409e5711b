import YonderGeodesy
import YonderModel

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

    /// When the server takes its pin away, or took it away; `nil` if only its connection ends it.
    var until: Timestamp?
    var allowance: TokenBucket

    /// Whether everyone was told of it and it was shown everyone: with the end of the call that let it in.
    var isSettled = false

    /// Where it is among its loop's members.
    var index = 0

    /// The first of the round's events that it hasn't been shown by its snapshot.
    var firstEvent = 0

    /// Which of the round's events are its own, which it isn't shown.
    var ownEvents: [Int] = []

    /// Whether it missed a round and needs everything afresh.
    var isStale = false

    init(id: WorldID, listener: any WorldListener, subscription: Int64, allowance: TokenBucket) {
        self.id = id
        self.listener = listener
        self.subscription = subscription
        self.allowance = allowance
    }
}
