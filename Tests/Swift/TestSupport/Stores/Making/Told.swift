import Synchronization
import YonderModel
package import YonderRules

/// Records what a store tells of its commits.
package final class Told: Sendable {
    private let commits = Mutex<[StoreCommit]>([])

    /// Receives the later commits of a store.
    package init(by store: any CommitSource) {
        store.outlet.connect { [weak self] commit in self?.commits.withLock { $0.append(commit) } }
    }

    /// The commits that the outlet passed on since the last call.
    package func take() -> [StoreCommit] {
        commits.withLock { commits in
            defer { commits = [] }
            return commits
        }
    }
}
