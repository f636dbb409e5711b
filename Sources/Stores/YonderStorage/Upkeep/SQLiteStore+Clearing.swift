import Synchronization
import YonderGeodesy
import YonderModel
import YonderSQLite
import YonderTables

// Clears what earlier versions left of erased content, beside the writer, and says when that is done (decision 15).
extension SQLiteStore {
    /// Whether nothing is left; `false` until ``maintain(pause:)`` has looked.
    package var isCleared: Bool { clearing.withLock { $0?.isDone ?? false } }

    /// Takes a step of the clearing if one is due; after a failure the next call takes it again.
    func clearIfDue(at now: Timestamp) async {
        let isOver = clearing.withLock { mark in mark.map { !$0.isDue(at: now) } ?? false }
        guard !isOver, health.withLock({ $0.state }) == .healthy, !file.isBroken else { return }
        guard let mark = try? await clear(at: now) else { return }
        clearing.withLock { $0 = mark }
    }
}
