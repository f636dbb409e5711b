/// How long an event loop waits between two flushes: not at all while it has time, longer the busier it is.
///
/// What costs is the flush of a connection, not the message in it. An idle loop delivers at once; one that is over half
/// busy waits up to 20 ms, one that can't keep up 50 ms, so that each flush carries more. Times are nanoseconds of any
/// steady clock.
///
/// ``FlushSchedule`` asks it at the end of each flush. It is a plain value, and nothing fails. The waits may be changed;
/// the longest is a part of how late a message arrives under load (`Documentation/benchmarks.md`, `PacingTests`).
struct Pacing {
    private(set) var busy = 0.0
    private var lastWall: Int64
    private var lastProcessor: Int64

    init(wall: Int64, processor: Int64) {
        lastWall = wall
        lastProcessor = processor
    }

    /// Called when a flush ended; returns the delay before the next one.
    ///
    /// - Parameters:
    ///   - wall: The time now.
    ///   - processor: The processor time that the loop's thread has used.
    /// - Returns: Nanoseconds, in `0...50_000_000`.
    mutating func flushed(wall: Int64, processor: Int64) -> Int64 {
        let elapsed = wall - lastWall
        if elapsed >= Self.shortestSample {
            let share = min(1, max(0, Double(processor - lastProcessor) / Double(elapsed)))
            let weight = min(1, Double(elapsed) / Self.memory)
            busy += (share - busy) * weight
            lastWall = wall
            lastProcessor = processor
        }
        return Self.wait(busy: busy)
    }

    /// The wait at a share of time that the loop works, in `0...1`.
    static func wait(busy: Double) -> Int64 {
        switch busy {
        case ..<0.5: 0
        case ..<0.9: Int64(20_000_000 * (busy - 0.5) / 0.4)
        default: Int64(20_000_000 + 30_000_000 * min(1, (busy - 0.9) / 0.08))
        }
    }

    private static let shortestSample: Int64 = 5_000_000
    private static let memory = 100_000_000.0
}
