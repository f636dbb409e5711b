import Synchronization

/// A value that changes, for any number of readers: each reads the value of now first, and then the newest change.
///
/// A reader's end is noted under a lock of its own. It may come from a task's cancellation, which holds the lock that a change
/// needs to resume that task: with one lock for both, the two would wait for each other for ever.
///
/// `SharingClient`, `ChatPositions` and `SocketIOClient` show their states by it; apps read the streams, each as often as
/// they like. Any thread may set it. It can't fail; a reader that is released ends. The two locks must stay:
/// `CurrentValueTests` runs changes beside canceled readers until one lock would stop both. All streams end with the value's
/// owner.
package final class CurrentValue<Value: Sendable & Equatable>: Sendable {
    private struct State {
        var value: Value
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
        var lastReader = 0

        mutating func remove(_ ended: [Int]) {
            for reader in ended { readers[reader] = nil }
        }
    }

    private let state: Mutex<State>
    /// The readers that have ended since the last change or new reader.
    private let ended = EndedReaders()

    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// A new stream of the values; a task that reads slowly receives only the newest one.
    package var stream: AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let reader = state.withLock { state in
            state.remove(ended.take())
            state.lastReader += 1
            state.readers[state.lastReader] = continuation
            continuation.yield(state.value)
            return state.lastReader
        }
        continuation.onTermination = { [ended] _ in ended.add(reader) }
        return stream
    }

    /// The value of now.
    package var current: Value { state.withLock(\.value) }

    /// How many readers have not ended.
    var readerCount: Int {
        state.withLock { state in
            state.remove(ended.take())
            return state.readers.count
        }
    }

    /// Changes the value; nothing if it is the same.
    package func set(_ value: Value) {
        state.withLock { state in
            state.remove(ended.take())
            guard state.value != value else { return }
            state.value = value
            for reader in state.readers.values { reader.yield(value) }
        }
    }

    deinit {
        for reader in state.withLock(\.readers).values { reader.finish() }
    }
}

/// The numbers of readers that have ended.
private final class EndedReaders: Sendable {
    private let numbers = Mutex<[Int]>([])

    func add(_ number: Int) {
        numbers.withLock { $0.append(number) }
    }

    /// The numbers, which are removed.
    func take() -> [Int] {
        numbers.withLock { numbers in
            defer { numbers = [] }
            return numbers
        }
    }
}
