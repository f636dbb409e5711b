import Synchronization

/// How long a node's store hasn't answered.
///
/// A node that can't ask whether people are still in a chat, or their credentials still good, may serve them for a while, and no longer.
/// A store in the same process has no silence: nothing is noted then.
package final class StoreSilence: Sendable {
    /// How long a node goes on without an answer of its store.
    package static let patience = Duration.seconds(15)

    /// When the last question was asked that was answered; `nil` if none was asked.
    private let answered = Mutex<ContinuousClock.Instant?>(nil)

    /// Creates it for a store that is taken to answer.
    package init() {}

    /// Receives that the store answered a question that was asked at an instant.
    package func answered(at asked: ContinuousClock.Instant) {
        answered.withLock { $0 = max($0 ?? asked, asked) }
    }

    /// Whether the store has answered nothing that was asked within the last ``patience``.
    package func isTooLong(at now: ContinuousClock.Instant) -> Bool {
        answered.withLock { answered in answered.map { now - $0 > Self.patience } ?? false }
    }
}
