import Synchronization

/// A value that changes, for any number of readers: each reads the value of now first, and then the newest change.
package final class CurrentValue<Value: Sendable & Equatable>: Sendable {
    private struct State {
        var value: Value
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
        var lastReader = 0
    }

    private let state: Mutex<State>

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
            state.lastReader += 1
            state.readers[state.lastReader] = continuation
            continuation.yield(state.value)
            return state.lastReader
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.readers[reader] = nil }
        }
        return stream
    }

    /// The value of now.
    package var current: Value { state.withLock(\.value) }

    /// Changes the value; nothing if it is the same.
    package func set(_ value: Value) {
        state.withLock { state in
            guard state.value != value else { return }
            state.value = value
            for reader in state.readers.values { reader.yield(value) }
        }
    }

    deinit {
        for reader in state.withLock(\.readers).values { reader.finish() }
    }
}
