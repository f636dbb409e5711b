import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: Clock, Sendable {
    /// A time on the clock.
    public struct Instant: InstantProtocol {
        /// How far it is from where the clock began.
        public let offset: Duration

        /// The time so much later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// How much later another time is.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether the left time is before the right one.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    fileprivate struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    fileprivate struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    fileprivate struct State {
        var now = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var canceled: Set<Int> = []
        var watchers: [Watcher] = []
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Creates a clock at zero.
    public init() {}

    /// Where the clock stands.
    public var now: Instant {
        Instant(offset: state.withLock { $0.now })
    }

    /// None: it shows any time.
    public var minimumResolution: Duration { .zero }

    /// Waits until a test has moved the clock that far.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let sleeper = Sleeper(deadline: deadline.offset, continuation: continuation)
                state.withLock { $0.add(sleeper, number) }()
            }
        } onCancel: {
            state.withLock { $0.cancel(number) }?()
        }
    }

    /// Moves the clock and wakes whoever slept until then.
    public func advance(by duration: Duration) {
        state.withLock { $0.advance(by: duration) }()
    }

    /// How many sleep.
    public var sleeperCount: Int {
        state.withLock { $0.sleepers.count }
    }

    /// Waits until at least so many sleep.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.sleepers.count < count else { return true }
                state.watchers.append(Watcher(count: count, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

extension ManualClock.State {
    /// What is to be called once the lock is given back.
    fileprivate mutating func add(_ sleeper: ManualClock.Sleeper, _ number: Int) -> () -> Void {
        if canceled.remove(number) != nil {
            return { sleeper.continuation.resume(throwing: CancellationError()) }
        }
        guard sleeper.deadline > now else { return { sleeper.continuation.resume() } }
        sleepers[number] = sleeper
        let satisfied = watchers.filter { $0.count <= sleepers.count }
        watchers.removeAll { $0.count <= sleepers.count }
        return { for watcher in satisfied { watcher.continuation.resume() } }
    }

    fileprivate mutating func cancel(_ number: Int) -> (() -> Void)? {
        guard let sleeper = sleepers.removeValue(forKey: number) else {
            canceled.insert(number)
            return nil
        }
        return { sleeper.continuation.resume(throwing: CancellationError()) }
    }

    fileprivate mutating func advance(by duration: Duration) -> () -> Void {
        now += duration
        let due = sleepers.filter { $0.value.deadline <= now }.sorted {
            $0.value.deadline < $1.value.deadline
        }
        for (number, _) in due { sleepers[number] = nil }
        return { for (_, sleeper) in due { sleeper.continuation.resume() } }
    }
}
