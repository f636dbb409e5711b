import Logging
import Synchronization

/// Counts the frames of the bus that couldn't be read, and tells the operator: at the first, then at most once a minute.
final class UnreadableFrames: Sendable {
    private struct State {
        var count = 0
        var untold = 0
        var toldAt: ContinuousClock.Instant?
    }

    /// The time between two lines of the log.
    private static let interval = Duration.seconds(60)

    private let logger: Logger
    private let state = Mutex(State())

    /// Begins at 0.
    init(logger: Logger) {
        self.logger = logger
    }

    /// The frames since the start.
    var count: Int { state.withLock { $0.count } }

    /// Counts a frame of so many bytes.
    func note(_ bytes: Int, at now: ContinuousClock.Instant) {
        let told: Int? = state.withLock { state in
            state.count &+= 1
            state.untold &+= 1
            if let toldAt = state.toldAt, now - toldAt < Self.interval { return nil }
            defer { state.untold = 0 }
            state.toldAt = now
            return state.untold
        }
        guard let told else { return }
        logger.warning(
            """
            Frames of the bus can't be read: a server of another version sends them, or another program. Messages are read \
            from the store instead
            """,
            metadata: ["count": "\(told)", "bytes": "\(bytes)"]
        )
    }
}
