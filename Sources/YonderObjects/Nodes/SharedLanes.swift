import Synchronization
import YonderBus

/// A node's part in a store of objects that other nodes write to, too.
final class SharedLanes: Sendable {
    struct State {
        var lanes: LaneTable

        /// Whether frames were lost since the last sweep.
        var isUrgent = true

        /// Sends something to the other nodes.
        var tell: @Sendable (BusContent) -> Void = { _ in }
    }

    /// Reads what this node wasn't told.
    let log: any ObjectLog

    /// Changes are applied to the indexes inside this mutex, so that they come there as the lanes decided.
    let state: Mutex<State>

    init(_ log: any ObjectLog, _ lanes: LaneTable) {
        self.log = log
        state = Mutex(State(lanes: lanes))
    }

    /// Sends something to the other nodes.
    func tell(_ content: BusContent) {
        state.withLock(\.tell)(content)
    }
}
