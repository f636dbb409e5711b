import Synchronization
import YonderModel
import YonderRules

/// An admission queue: lets a limited number of callers in at a time, who take turns (`TurnQueue`).
///
/// Strangers never have all the places, where there are several: a known caller waits for known ones alone. A canceled caller leaves
/// when its turn comes.
final class Turnstile: Sendable {
    fileprivate struct State {
        var inside = 0
        var strangersInside = 0
        var waiting: TurnQueue<CheckedContinuation<Bool, Never>>
    }

    private let limit: Int
    private let strangersLimit: Int
    private let state: Mutex<State>

    /// Lets `limit` callers in at a time, queues up to `waiting` more of the known ones, and as many strangers, and refuses
    /// the rest.
    init(admitting limit: Int, waiting: Int) {
        self.limit = limit
        strangersLimit = max(1, limit - 1)
        state = Mutex(State(waiting: TurnQueue(limit: waiting)))
    }

    /// How many wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when the caller's turn comes.
    ///
    /// - Throws: The errors of `body`, and `tooManyRequests` if the queue is full.
    func pass<Value>(
        _ caller: TurnTaker,
        _ body: () async throws(SharingError) -> Value
    ) async throws(SharingError) -> Value {
        guard await enter(caller) else {
            throw SharingError(
                .tooManyRequests,
                "Too many requests of this kind are waiting; send the same again after retryAfter.",
                retryAfter: .seconds(1)
            )
        }
        defer { leave(caller) }
        return try await body()
    }

    private func enter(_ caller: TurnTaker) async -> Bool {
        await withCheckedContinuation { continuation in
            let answers = state.withLock { enter(continuation, caller, &$0) }
            for (continuation, isAdmitted) in answers { continuation.resume(returning: isAdmitted) }
        }
    }

    /// The callers who are answered now, and whether they are in.
    private func enter(
        _ continuation: CheckedContinuation<Bool, Never>,
        _ caller: TurnTaker,
        _ state: inout State
    ) -> [(CheckedContinuation<Bool, Never>, Bool)] {
        let hasPlace = caller.isKnown || state.strangersInside < strangersLimit
        if state.inside < limit, hasPlace {
            state.admit(isStranger: !caller.isKnown)
            return [(continuation, true)]
        }
        switch state.waiting.append(continuation, of: caller) {
        case .waits: return []
        case .displaces(let other): return [(other, false)]
        case .refused: return [(continuation, false)]
        }
    }

    private func leave(_ caller: TurnTaker) {
        let next: [CheckedContinuation<Bool, Never>] = state.withLock { state in
            state.inside -= 1
            if !caller.isKnown { state.strangersInside -= 1 }
            var admitted: [CheckedContinuation<Bool, Never>] = []
            while state.inside < limit {
                let admitsStrangers = state.strangersInside < strangersLimit
                guard let next = state.waiting.removeFirst(admitsStrangers: admitsStrangers) else { break }
                state.admit(isStranger: next.isStrangers)
                admitted.append(next.ticket)
            }
            return admitted
        }
        for continuation in next { continuation.resume(returning: true) }
    }
}

extension Turnstile.State {
    fileprivate mutating func admit(isStranger: Bool) {
        inside += 1
        if isStranger { strangersInside += 1 }
    }
}
