/// Whether a server is worth asking: one that fails again and again is left in peace for a while.
///
/// `NominatimGeocoder` has one behind its mutex, asks before each request and says how it went. It is a plain value, and
/// nothing fails. While it rests, searches are answered from the gazetteer alone. The times may be changed; a wait that
/// the server asked for must be kept to, up to ``longest`` (`UpstreamValueTests`).
struct UpstreamRest: Sendable {
    /// How many failures in a row are too many.
    static let failureLimit = 3

    /// How long the first rest is; each further one is twice as long.
    static let first = Duration.seconds(30)

    /// The longest backoff, even if the server asks for a longer one.
    static let longest = Duration.seconds(600)

    private var failures = 0
    private var ends: ContinuousClock.Instant?

    /// Whether to ask now; after a rest one failure begins the next.
    func allowsAsking(at now: ContinuousClock.Instant) -> Bool {
        guard let ends else { return true }
        return now >= ends
    }

    /// Called after an answer: resets the backoff.
    mutating func succeeded() {
        failures = 0
        ends = nil
    }

    /// Called after a failure; `retryAfter` is the wait that the server asked for.
    mutating func failed(at now: ContinuousClock.Instant, retryAfter: Duration? = nil) {
        failures += 1
        if let retryAfter {
            ends = now + min(max(retryAfter, Self.first), Self.longest)
        } else if failures >= Self.failureLimit {
            let doublings = min(failures - Self.failureLimit, 5)
            ends = now + min(Self.first * (1 << doublings), Self.longest)
        }
    }
}
