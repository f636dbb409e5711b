import Synchronization
import YonderModel

/// An admission queue: lets a limited number of callers in at a time, first come, first served.
///
/// `ObjectCatalog` has one for queries that read fields, so that they take a bounded part of the processors. A canceled
/// caller leaves when its turn comes. First come, first served must stay; both numbers are the caller's
/// (`TurnstileTests`).
final class Turnstile: Sendable {
    private struct State {
        var inside = 0
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let limit: Int
    private let capacity: Int
    private let state = Mutex(State())

    /// Lets `limit` callers in at a time, queues up to `waiting` more, and refuses the rest.
    init(admitting limit: Int, waiting: Int) {
        self.limit = limit
        capacity = waiting
    }

    /// Runs `body` when the caller's turn comes.
    ///
    /// - Throws: The errors of `body`, and `tooManyRequests` if the queue is full.
    func pass<Value>(_ body: () async throws(SharingError) -> Value) async throws(SharingError) -> Value {
        guard await enter() else {
            throw SharingError(
                .tooManyRequests,
                "Too many requests of this kind are waiting; send the same again after retryAfter.",
                retryAfter: .seconds(1)
            )
        }
        defer { leave() }
        return try await body()
    }

    private func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            let isIn: Bool? = state.withLock { state in
                if state.inside < limit {
                    state.inside += 1
                    return true
                }
                guard state.waiting.count < capacity else { return false }
                state.waiting.append(continuation)
                return nil
            }
            if let isIn { continuation.resume(returning: isIn) }
        }
    }

    private func leave() {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.inside -= 1
            return nil
        }
        next?.resume(returning: true)
    }
}
