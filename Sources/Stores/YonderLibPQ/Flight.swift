#if Postgres
/// The entries that a link has sent and that have no complete answer, in order.
///
/// `Link` has one on its thread: it appends what it sends and passes each answer of libpq. It is a plain value, and
/// nothing throws. An answer without an entry is ignored. That answers belong to entries in their order, and that a unit
/// whose commit has no sure answer is *unknown* rather than failed, must stay: on it rests whether work may run again
/// (`LinkValueTests`). The waits of ``Backoff`` may be changed.
package struct Flight {
    /// A part of the pipeline that ends with one `Sync`.
    package enum Entry {
        case preparation(String)
        case identification
        case unit(Unit)
    }

    private var entries: [Entry] = []
    private var table: Table?
    private var failure: LinkFailure?
    private var isDoubtful = false

    /// Whether an answer of the server announced the end of the connection.
    private(set) var isBroken = false

    /// Whether nothing is on its way.
    package var isEmpty: Bool { entries.isEmpty }

    /// How many have no answer.
    package var count: Int { entries.count }

    /// Adds a sent entry.
    package mutating func append(_ entry: Entry) {
        entries.append(entry)
    }

    /// Takes the rows of the first.
    package mutating func take(_ table: Table) {
        self.table = table
    }

    /// Takes an error of the first; the first error counts.
    package mutating func fail(_ state: SQLState, _ message: String) {
        let isEnd = state.kind == .disconnected
        // What follows an error in a pipeline is skipped, and has no state of its own.
        if isEnd, failure == nil || !state.rawValue.isEmpty { isBroken = true }
        guard failure == nil else { return }
        failure = LinkFailure(outcome: isEnd ? .unknown : .refused(state), message: message)
    }

    /// Takes a warning that a commit may be lost, which makes the outcome of the first unknown if it commits.
    package mutating func doubt() {
        isDoubtful = true
    }

    /// Call this at the answer to a `Sync`: the first's transaction has ended.
    package mutating func finish(connection: Int) -> (Entry, Result<Unit.Answer, LinkFailure>)? {
        defer { forget() }
        guard !entries.isEmpty else { return nil }
        let entry = entries.removeFirst()
        if let failure { return (entry, .failure(failure)) }
        if isDoubtful, case .unit(let unit) = entry, unit.commits {
            let message = "A standby's answer was not awaited."
            return (entry, .failure(LinkFailure(outcome: .unknown, message: message)))
        }
        let answer = Unit.Answer(
            rows: table?.rows ?? [],
            affected: table?.affected ?? 0,
            connection: connection
        )
        return (entry, .success(answer))
    }

    /// Removes all entries, because the connection is lost.
    ///
    /// - Returns: The units among the entries.
    package mutating func removeAll() -> [Unit] {
        defer { self = Flight() }
        return entries.compactMap { if case .unit(let unit) = $0 { unit } else { nil } }
    }

    private mutating func forget() {
        table = nil
        failure = nil
        isDoubtful = false
    }
}

/// When to try again to connect: at once, then after 50 ms, doubled to 1 s, each up to a quarter longer or shorter.
package struct Backoff {
    private var next: ContinuousClock.Instant?
    private var step = 0

    /// Call this when an attempt failed.
    package mutating func fail(at now: ContinuousClock.Instant) {
        let milliseconds = min(1_000, 50 << min(step, 5))
        next = now + .milliseconds(milliseconds * Int.random(in: 75...125) / 100)
        step += 1
    }

    /// Call this when an attempt succeeded.
    package mutating func succeed() {
        next = nil
        step = 0
    }

    /// How many milliseconds to wait before the next attempt; `nil` for none.
    package func delay(at now: ContinuousClock.Instant) -> Int32? {
        guard let next, next > now else { return nil }
        return Int32((next - now) / .milliseconds(1)) + 1
    }
}
#endif
