/// The starts of shares that a session has sent and the store hasn't answered, and the stops that came behind them.
///
/// `Session` has one, on its loop. It is a plain value. Beyond the stops that are kept, a stop runs at once and may find
/// a share not started yet; the client repeats stops that had no effect. That a stop never overtakes the start before it
/// must stay (`ShareStreamTests`).
struct PendingStarts {
    private var count = 0
    private var stops: [() -> Void] = []

    /// How many stops wait; further ones end what runs at once.
    private static let stopsAtMost = 16

    init() {}

    /// Called when a start is sent to the store.
    mutating func begin() { count += 1 }

    /// Called when a start is answered.
    ///
    /// - Returns: The stops to do now: none before the last start is answered.
    mutating func end() -> [() -> Void] {
        count -= 1
        guard count == 0 else { return [] }
        defer { stops = [] }
        return stops
    }

    /// Keeps a stop until the starts before it are answered.
    ///
    /// - Returns: Whether it waits; if not, the caller stops now.
    mutating func holds(_ stop: @escaping () -> Void) -> Bool {
        guard count > 0, stops.count < Self.stopsAtMost else { return false }
        stops.append(stop)
        return true
    }
}
