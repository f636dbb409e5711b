import Synchronization
import YonderClient
import YonderModel

/// One reader of a live list, and what it has been given.
final class ModelView: Sendable {
    private struct State {
        var lines: [String]?
        var error: SharingError?
    }

    /// The list's name.
    let name: String

    private let state: Mutex<State>
    private let reading: Mutex<Task<Void, Never>?>

    /// Reads updates, and keeps what the reader has after each of them.
    ///
    /// - Parameters:
    ///   - name: The list's name.
    ///   - updates: The updates.
    ///   - empty: What the reader has before the first one.
    ///   - apply: Applies an update.
    ///   - lines: What is compared, in any order.
    init<Updates: AsyncSequence & Sendable, Held: Sendable>(
        _ name: String,
        _ updates: Updates,
        _ empty: Held,
        apply: @escaping @Sendable (Updates.Element, inout Held) -> Void,
        lines: @escaping @Sendable (Held) -> [String]
    ) where Updates.Failure == SharingError, Updates.Element: Sendable {
        self.name = name
        state = Mutex(State())
        reading = Mutex(nil)
        let task = Task { [weak self] in
            var held = empty
            do throws(SharingError) {
                for try await update in updates {
                    apply(update, &held)
                    let shown = lines(held).sorted()
                    self?.state.withLock { $0.lines = shown }
                }
            } catch {
                self?.state.withLock { $0.error = error }
            }
        }
        reading.withLock { $0 = task }
    }

    /// What the reader has, or that the list ended; `nil` before either.
    var shown: [String]? {
        state.withLock { state in state.error == nil ? state.lines : ["over"] }
    }

    /// The error with which the list ended.
    var error: SharingError? { state.withLock(\.error) }

    /// Lets the reader go.
    func close() async {
        let task = reading.withLock(\.self)
        task?.cancel()
        await task?.value
    }
}
