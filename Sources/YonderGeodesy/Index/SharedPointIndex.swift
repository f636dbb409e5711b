import Synchronization

/// A ``PointIndex`` that several tasks change and ask.
///
/// Whoever changes or asks it does so alone, so that each answer is of one instant: a region or the nearest points
/// take microseconds. What visits many points, for filters or other orders, does it in a ``snapshot()``, for which
/// nobody waits.
public final class SharedPointIndex: Sendable {
    private let index: Mutex<PointIndex>

    /// How often somebody has had the index.
    ///
    /// The mutex alone would do, but on Linux the thread sanitizer doesn't see that it orders its holders; it sees the
    /// atomic do so.
    private let turns = Atomic<UInt64>(0)

    /// Creates an empty index.
    public init() {
        index = Mutex(PointIndex())
    }

    /// Calls a function that has the index to itself meanwhile: to make several changes at once, or to ask.
    public func withIndex<Result: ~Copyable, Failure: Error>(
        _ body: (inout PointIndex) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try index.withLock { index throws(Failure) in
            _ = turns.load(ordering: .acquiring)
            defer { turns.wrappingAdd(1, ordering: .releasing) }
            return try body(&index)
        }
    }

    /// All points as they are at this instant; what it costs: ``PointIndex/snapshot()``.
    public func snapshot() -> PointSnapshot {
        withIndex { $0.snapshot() }
    }
}
