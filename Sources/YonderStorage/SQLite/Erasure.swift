/// When leftovers of erased content are to be removed from the files: a value without clock or disk.
///
/// 1. What was erased leaves the files within ``deadline``, unless a reader or the disk prevents it.
/// 2. Rounds begin at least ``pause`` apart, whatever is erased, because each reads the whole database.
struct Erasure {
    /// The time in which erased content must be gone.
    static let deadline = Duration.seconds(60)
    /// How long erasures are gathered before a round.
    static let gathering = Duration.seconds(4)
    /// The least time between the ends of two rounds.
    static let pause = Duration.seconds(20)

    private var pendingSince: ContinuousClock.Instant?
    private var lastEnd: ContinuousClock.Instant?

    /// Whether erased content may still stand in the files.
    var isPending: Bool { pendingSince != nil }

    /// Notes that content was erased.
    mutating func note(at now: ContinuousClock.Instant) {
        if pendingSince == nil { pendingSince = now }
    }

    /// Begins a round if it is time.
    ///
    /// - Returns: Since when the content that the round removes has been erased; `nil` if it isn't time.
    mutating func begin(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let since = pendingSince, now - since >= Self.gathering else { return nil }
        guard lastEnd.map({ now - $0 >= Self.pause }) ?? true else { return nil }
        pendingSince = nil
        return since
    }

    /// Ends a round that removed everything.
    mutating func succeed(at now: ContinuousClock.Instant) {
        lastEnd = now
    }

    /// Ends a round that was prevented; the next begins at once.
    mutating func fail(since: ContinuousClock.Instant) {
        pendingSince = min(since, pendingSince ?? since)
    }
}
