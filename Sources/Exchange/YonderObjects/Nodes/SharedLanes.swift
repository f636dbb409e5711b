import Synchronization
import YonderBus
import YonderModel
import YonderRules

/// A node's lanes of objects, over a store that other nodes write to, too.
///
/// `ObjectCatalog` has one where nodes share a store, and `nil` otherwise. Any thread may call. A frame that is
/// published without a bus goes nowhere. Which changes are applied is decided in `LaneTable` (decision 34,
/// `ObjectNodesTests`).
final class SharedLanes: Sendable {
    struct State {
        var lanes: LaneTable

        /// Whether frames were lost since the last sweep.
        var isUrgent = true

        /// Publishes content to the other nodes.
        var tell: @Sendable (BusContent) -> Void = { _ in }
    }

    /// Reads the changes that this node hasn't received.
    let log: any ObjectLog

    /// The lanes.
    ///
    /// Changes are applied to the indexes inside this mutex, so that the indexes get them in the order of the lanes'
    /// decisions.
    let state: Mutex<State>

    init(_ log: any ObjectLog, _ lanes: LaneTable) {
        self.log = log
        state = Mutex(State(lanes: lanes))
    }

    /// Publishes content to the other nodes.
    func tell(_ content: BusContent) {
        state.withLock(\.tell)(content)
    }
}
