import YonderModel

/// A cache of answers with a lifetime and a limit, without a clock of its own.
///
/// `NominatimGeocoder` and `TownTiles` have one each, behind a mutex. It is a plain value, and nothing fails. Answers of
/// errors aren't kept here by itself: that is the caller's choice. The question must name everything that the answer
/// depends on, the language included (`AnswerCacheTests`).
package struct AnswerCache<Answer: Sendable>: Sendable {
    private struct Entry {
        let answer: Answer
        let expires: ContinuousClock.Instant
        var used: UInt64
    }

    private let capacity: Int
    private let lifetime: Duration
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0

    /// Keeps at most `capacity` answers, at least one, for `lifetime` each.
    package init(capacity: Int, lifetime: Duration) {
        self.capacity = max(1, capacity)
        self.lifetime = lifetime
    }

    /// How many there are, those included whose time is over.
    package var count: Int { entries.count }

    /// The answer to a question, or `nil` if there is none or its time is over.
    package mutating func answer(to question: String, at now: ContinuousClock.Instant) -> Answer? {
        guard let entry = entries[question] else { return nil }
        guard now < entry.expires else {
            entries[question] = nil
            return nil
        }
        uses += 1
        entries[question]?.used = uses
        return entry.answer
    }

    /// Keeps an answer; for room the older half of all is forgotten, by when they were last used.
    package mutating func keep(_ answer: Answer, to question: String, at now: ContinuousClock.Instant) {
        if entries[question] == nil, entries.count >= capacity { makeRoom(now) }
        uses += 1
        entries[question] = Entry(answer: answer, expires: now + lifetime, used: uses)
    }

    private mutating func makeRoom(_ now: ContinuousClock.Instant) {
        entries = entries.filter { now < $0.value.expires }
        guard entries.count >= capacity else { return }
        let middle = entries.values.map(\.used).sorted()[entries.count / 2]
        entries = entries.filter { $0.value.used > middle }
    }
}
