import Synchronization

/// The times at which lists are read again after the answer to a commit was lost.
///
/// Until then it's unknown whether the commit was made.
///
/// Such a commit may still wait in the database, for a standby, so one look isn't enough.
package final class CommitDoubts: Sendable {
    /// How long after the doubt lists are read again.
    private static let looks = [Duration.zero, .seconds(30), .seconds(120)]

    private let due = Mutex<[ContinuousClock.Instant]>([])

    /// Creates it without a doubt.
    package init() {}

    /// Receives a doubt.
    package func note(at now: ContinuousClock.Instant) {
        due.withLock { $0 = Self.looks.map { now + $0 } }
    }

    /// Whether lists must be read again now that the store has answered a question that was asked at an instant.
    package func takeDue(at asked: ContinuousClock.Instant) -> Bool {
        due.withLock { due in
            let count = due.count
            due.removeAll { $0 <= asked }
            return due.count < count
        }
    }
}
