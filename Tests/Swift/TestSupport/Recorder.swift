import Synchronization

/// Keeps what is told to it, from any thread, for a test that waits for it.
public final class Recorder<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiters: [(isEnough: ([Value]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates an empty one.
    public init() {}

    /// What was told so far.
    public var values: [Value] {
        state.withLock { $0.values }
    }

    /// Keeps a value.
    public func record(_ value: Value) {
        let satisfied = state.withLock { state in
            state.values.append(value)
            let values = state.values
            let satisfied = state.waiters.filter { $0.isEnough(values) }.map(\.continuation)
            state.waiters.removeAll { $0.isEnough(values) }
            return satisfied
        }
        for continuation in satisfied { continuation.resume() }
    }

    /// Waits until there are so many values.
    @discardableResult public func wait(for count: Int) async -> [Value] {
        await wait { $0.count >= count }
    }

    /// Waits until the values are as a test wants them.
    @discardableResult public func wait(until isEnough: @escaping @Sendable ([Value]) -> Bool) async
        -> [Value]
    {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard !isEnough(state.values) else { return true }
                state.waiters.append((isEnough, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
        return values
    }
}
