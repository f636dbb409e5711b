/// Decides whether the store may write, and when it tries to recover, as a plain value without clock or disk.
///
/// ```
///            failed               recovered, reserve made
/// healthy ──────────▶ failed ───────────────────────────────▶ healthy
///                      │  ▲                                      ▲
///      recovered, no   │  │ failed                 reserve made  │
///      reserve made    ▼  │                                      │
///                      short ────────────────────────────────────┘
/// ```
///
/// Invariants:
///
/// 1. Nothing is written in `failed`.
/// 2. In `short`, only erasures of content are written.
/// 3. Attempts are at least ``shortestPause`` apart, and at most ``longestPause``.
///
/// `SQLiteStore` has one behind a mutex and asks before each write (`SQLiteStore+Recovery.swift`). It is a plain value,
/// and nothing throws. The invariants must stay (decision 16, `StoreHealthTests`); both pauses may be changed.
struct StoreHealth {
    enum State: Equatable {
        case healthy
        /// Writing works, but the disk has no room for the reserve.
        case short
        /// The content of the disk is unknown until the database was reopened and flushed.
        case failed
    }

    static let shortestPause = Duration.milliseconds(100)
    static let longestPause = Duration.seconds(2)

    private(set) var state: State
    /// Why the store failed last; of no meaning for a healthy one.
    private(set) var trouble = StoreTrouble.unwritable
    private var pause = shortestPause
    private var nextAttempt: ContinuousClock.Instant?

    init(_ state: State = .healthy) {
        self.state = state
    }

    /// Call this when a write or a flush failed.
    ///
    /// - Returns: Whether the store was healthy before.
    mutating func fail(_ trouble: StoreTrouble = .unwritable) -> Bool {
        let wasHealthy = state == .healthy
        state = .failed
        self.trouble = trouble
        return wasHealthy
    }

    /// Whether to try to recover now; the caller must then try.
    mutating func attempt(at now: ContinuousClock.Instant) -> Bool {
        guard state != .healthy, nextAttempt.map({ now >= $0 }) ?? true else { return false }
        nextAttempt = now.advanced(by: pause)
        pause = min(pause * 2, Self.longestPause)
        return true
    }

    /// Call this when the database was reopened and flushed; `hasReserve` states whether the reserve could be
    /// created.
    mutating func recover(hasReserve: Bool) {
        state = hasReserve ? .healthy : .short
        trouble = .full
        guard hasReserve else { return }
        pause = Self.shortestPause
        nextAttempt = nil
    }

    /// Whether content may be written, or erased if `isErasing`.
    func mayWrite(isErasing: Bool) -> Bool {
        switch state {
        case .healthy: true
        case .short: isErasing
        case .failed: false
        }
    }
}
