import Synchronization
import YonderModel

/// What a store answers to a batch, some time after it was handed over.
///
/// Asked for once, and given once.
final class BatchAnswer: Sendable {
    typealias Results = [Result<ObjectChange, SharingError>]

    private enum State {
        case open
        case awaited(CheckedContinuation<Results, Never>)
        case given(Results)
    }

    private let state = Mutex(State.open)

    /// The answer, as soon as it is there.
    var results: Results {
        get async {
            await withCheckedContinuation { continuation in
                let given: Results? = state.withLock { state in
                    if case .given(let results) = state { return results }
                    state = .awaited(continuation)
                    return nil
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }

    /// The store has answered.
    func give(_ results: Results) {
        let waiting: CheckedContinuation<Results, Never>? = state.withLock { state in
            guard case .awaited(let continuation) = state else {
                state = .given(results)
                return nil
            }
            return continuation
        }
        waiting?.resume(returning: results)
    }
}
