import Synchronization

/// A ``PointIndex`` for use from several tasks.
///
/// Each change or query has exclusive access, so that an answer is of one instant: a region or the nearest
/// points take microseconds. To visit many points, for filters or other orders, use a ``snapshot()``, which
/// blocks no other task.
///
/// For programs that use the index themselves; the server's `ObjectIndex` has a lock of its own. What a body throws is passed
/// on, and changes before that stay. A body that calls the same index again would wait for ever. `PointSnapshotTests` runs it
/// with the thread sanitizer, for which the atomic must stay.
public final class SharedPointIndex: Sendable {
    private let index: Mutex<PointIndex>

    /// The number of times the index was locked.
    ///
    /// The mutex alone would suffice, but on Linux the thread sanitizer doesn't recognize the order that it
    /// imposes; it does recognize that of the atomic.
    private let turns = Atomic<UInt64>(0)

    /// Creates an empty index.
    ///
    /// - Complexity: O(1).
    public init() {
        index = Mutex(PointIndex())
    }

    /// Calls a function with exclusive access to the index, for several changes at once or for queries.
    ///
    /// - Complexity: O(1) besides the function itself and the wait for the lock.
    public func withIndex<Result: ~Copyable, Failure: Error>(
        _ body: (inout PointIndex) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try index.withLock { index throws(Failure) in
            _ = turns.load(ordering: .acquiring)
            defer { turns.wrappingAdd(1, ordering: .releasing) }
            return try body(&index)
        }
    }

    /// A snapshot of all points; later changes copy the pages that they write to, as ``PointIndex/snapshot()`` says.
    ///
    /// - Complexity: O(*p*), where *p* is the number of pages of 16 KiB.
    public func snapshot() -> PointSnapshot {
        withIndex { $0.snapshot() }
    }
}
