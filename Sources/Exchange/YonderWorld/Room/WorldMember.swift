import YonderGeodesy
import YonderModel

/// One connection in the world: its name and its pin's position.
///
/// Belongs to its listener's event loop.
///
/// Its name is drawn anew for each connection, so that nobody is followed from one to the next: this must stay (decision 33).
package final class WorldMember {
    /// The name that other members see; it changes if it belongs to a member of another node.
    package internal(set) var id: WorldID

    let listener: any WorldListener

    /// The subscription that a snapshot on the stream answers; 0 elsewhere.
    let subscription: Int64

    /// The last position, as written by the client; empty before the first.
    var position: [UInt8] = []

    /// When the server takes its pin away, or took it away; `nil` if only its connection ends it.
    var until: Timestamp?

    /// Whether the member was announced to the others and received a snapshot: true at the latest after the
    /// next ``WorldRoom/settle()``.
    var isSettled = false

    /// The member's index in its loop's list of members.
    var index = 0

    /// The index of the first event of the round that its snapshot doesn't include.
    var firstEvent = 0

    /// The indexes of the round's events that the member caused, which it doesn't receive.
    var ownEvents: [Int] = []

    /// Whether the member missed a round: it gets a new snapshot on the stream, and elsewhere what its ``cursor`` lacks.
    var isBehind = false

    /// Whether what it missed is being sent.
    var isRefreshing = false

    /// What the member has been sent, where it ``isBehind``; else the change up to which it was sent everything at least.
    var cursor = WorldPins.Cursor(upTo: 0)

    /// The numbers of the departures of its own pin that its cursor hasn't passed, which it doesn't receive.
    var ownDepartures: [Int] = []

    /// The account or network for which the member counts; `nil` if it counts for none.
    let holder: String?

    init(id: WorldID, listener: any WorldListener, subscription: Int64, holder: String? = nil) {
        self.id = id
        self.listener = listener
        self.subscription = subscription
        self.holder = holder
    }
}
