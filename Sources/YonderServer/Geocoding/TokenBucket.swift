import YonderGeodesy

/// When the next request may go out, if they go at a steady pace: no clock in it, and no waiting.
///
/// What it keeps is the moment at which all is as if nothing had been asked.
struct TokenBucket: Sendable {
    /// The time between two requests.
    let interval: Duration

    private var free: Timestamp?

    init(interval: Duration) {
        self.interval = interval
    }

    /// Takes the next place.
    ///
    /// - Returns: How long to wait for it; `nil`, and no place is taken, if that is longer than `patience`.
    mutating func take(at now: Timestamp, patience: Duration) -> Duration? {
        // A clock that was set back must not stop everything: nobody waits longer than patience and an interval.
        let latest = now + patience + interval
        let next = max(now, free.map { $0 > latest ? now : $0 } ?? now)
        let wait = next - now
        guard wait <= patience else { return nil }
        free = next + interval
        return wait
    }
}
