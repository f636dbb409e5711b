import Synchronization

/// A clock that a test moves by hand.
final class HandClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        fileprivate var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private typealias Sleeper = AsyncStream<Void>.Continuation

    private struct State {
        var now = Instant()
        var sleepers: [(deadline: Instant, sleeper: Sleeper)] = []
    }

    private let state = Mutex(State())
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrival) = AsyncStream.makeStream()
    }

    var now: Instant { state.withLock(\.now) }
    let minimumResolution = Swift.Duration.nanoseconds(1)

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        let (end, sleeper) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            if deadline <= state.now { sleeper.finish() } else { state.sleepers.append((deadline, sleeper)) }
        }
        arrival.yield()
        for await _ in end {}
        try Task.checkCancellation()
    }

    /// Waits for the next sleeper, and moves the time on.
    func advanceAtNextSleep(by duration: Duration) async {
        var iterator = arrivals.makeAsyncIterator()
        await iterator.next()
        state.withLock { state in
            let now = state.now.advanced(by: duration)
            state.now = now
            for (deadline, sleeper) in state.sleepers where deadline <= now { sleeper.finish() }
            state.sleepers.removeAll { $0.deadline <= now }
        }
    }
}
