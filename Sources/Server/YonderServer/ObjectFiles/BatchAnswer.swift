import Synchronization
import YonderModel
import YonderRules

/// The store's answer to a batch, which arrives some time after the batch was submitted.
///
/// Awaited once, and given once.
///
/// `ObjectImport` makes one for each batch. A store that never answers would keep the import waiting, so each completion
/// must be called, which ports promise. An answer that is given twice is a mistake of the store, and traps.
final class BatchAnswer: Sendable {
    typealias Results = [Result<ObjectChange, SharingError>]

    private enum State {
        case open
        case awaited(CheckedContinuation<Results, Never>)
        case given(Results)
    }

    private let state = Mutex(State.open)

    /// Waits for the answer and returns it.
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

    /// Call this when the store has answered.
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
