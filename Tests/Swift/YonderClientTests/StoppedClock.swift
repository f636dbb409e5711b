import Synchronization

/// A clock that stands still: each sleeper sleeps until a test wakes it.
final class StoppedClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        fileprivate var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let sleepers: AsyncStream<AsyncStream<Void>.Continuation>
    private let sleeper: AsyncStream<AsyncStream<Void>.Continuation>.Continuation

    init() {
        (sleepers, sleeper) = AsyncStream.makeStream()
    }

    let now = Instant()
    let minimumResolution = Swift.Duration.nanoseconds(1)

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        sleeper.yield(continuation)
        for await _ in end {}
        try Task.checkCancellation()
    }

    /// Waits for a sleeper, and wakes the one that has slept longest.
    func endSleep() async {
        var iterator = sleepers.makeAsyncIterator()
        await iterator.next()?.finish()
    }
}
