import YonderModel

import Synchronization

/// The one way by which a store passes on what it has committed.
///
/// `Exchange.start` connects its receiver once, before the first commit; the stores call ``send(_:)``. A commit before that,
/// or one without a change, goes nowhere. Neither function fails.
///
/// The store calls the receiver for every commit of its process, on the thread of the commit, before the next commit of that
/// thread and before any caller is answered. So a caller that was answered knows that the receiver has the commit. This
/// order must stay: nothing else publishes what was committed (decision 36, `StoreRule+Commits.swift`).
package final class CommitOutlet: Sendable {
    private let receiver = Mutex<(@Sendable (StoreCommit) -> Void)?>(nil)

    /// Creates an outlet without a receiver.
    package init() {}

    /// Passes every later commit to `receiver`, which must not block, and to no other: an earlier receiver gets nothing more.
    package func connect(_ receiver: @escaping @Sendable (StoreCommit) -> Void) {
        self.receiver.withLock { $0 = receiver }
    }

    /// Called by the store after a commit.
    package func send(_ commit: StoreCommit) {
        guard !commit.isEmpty, let receiver = receiver.withLock(\.self) else { return }
        receiver(commit)
    }
}

/// A store whose commits can be followed.
package protocol CommitSource: Sendable {
    /// Where its commits come out.
    var outlet: CommitOutlet { get }
}
