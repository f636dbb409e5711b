import Synchronization

/// How long a node's store hasn't answered.
///
/// A node that can't ask whether people are still in a chat, or their credentials still good, may serve them for a while, and no longer.
/// A store in the same process has no silence: nothing is noted then.
package final class StoreSilence: Sendable {
    /// How long a node goes on without an answer of its store.
    package static let patience = Duration.seconds(15)

    /// How much longer its people stay: nodes ask at different times, so that one of a store which is away for all of them may notice seconds
    /// before the others.
    package static let margin = Duration.seconds(6)

    /// When the last question was asked that was answered; `nil` if none was asked.
    private let answered = Mutex<ContinuousClock.Instant?>(nil)

    /// Creates it for a store that is taken to answer.
    package init() {}

    /// Receives that the store answered a question that was asked at an instant.
    package func answered(at asked: ContinuousClock.Instant) {
        answered.withLock { $0 = max($0 ?? asked, asked) }
    }

    /// Whether the store has answered nothing that was asked within the last ``patience``, or within a time longer than that.
    package func isTooLong(at now: ContinuousClock.Instant, patience: Duration = patience) -> Bool {
        answered.withLock { answered in answered.map { now - $0 > patience } ?? false }
    }
}
