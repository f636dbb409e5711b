import Synchronization

/// Lets a number of callers in at once; the others wait in the order in which they came.
///
/// `SQLiteFile` has one, which keeps long reads from taking every reader. Beyond `limit` a caller is refused, as
/// `false`. Each ``enter()`` that returned `true` needs one ``leave()``, also of a canceled task, or a place is lost for
/// good. The order of arrival must stay (`LongReadTests`).
final class Turnstile: Sendable {
    fileprivate struct State {
        var free: Int
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let limit: Int
    private let state: Mutex<State>

    /// Lets `count` callers in at once, while at most `limit` wait.
    init(_ count: Int, limit: Int) {
        self.limit = limit
        state = Mutex(State(free: count))
    }

    /// Waits for a place; a canceled task waits, too, and must leave as well.
    ///
    /// - Returns: `true` if the caller is in, and must call ``leave()``; `false` if too many wait.
    func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            if let answer = state.withLock({ $0.enter(continuation, limit: limit) }) {
                continuation.resume(returning: answer)
            }
        }
    }

    /// Gives the caller's place to the one that has waited longest.
    func leave() {
        state.withLock { $0.leave() }?.resume(returning: true)
    }
}

extension Turnstile.State {
    /// The answer, or `nil` if the caller waits.
    fileprivate mutating func enter(_ caller: CheckedContinuation<Bool, Never>, limit: Int) -> Bool? {
        if free > 0 {
            free -= 1
            return true
        }
        guard waiting.count < limit else { return false }
        waiting.append(caller)
        return nil
    }

    fileprivate mutating func leave() -> CheckedContinuation<Bool, Never>? {
        guard !waiting.isEmpty else {
            free += 1
            return nil
        }
        return waiting.removeFirst()
    }
}
