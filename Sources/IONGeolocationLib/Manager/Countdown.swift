import Dispatch

/// Does something on the main thread when a time is over, unless it is canceled or gone before.
final class Countdown {
    private let work: DispatchWorkItem

    /// Starts to count.
    init(milliseconds: Int, whenOver action: @escaping () -> Void) {
        let action = MainThreadAction(run: action)
        work = DispatchWorkItem { action.run() }
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
    }

    deinit {
        work.cancel()
    }
}

/// What is done on the main thread.
// Safe because it is made where the wrapper is used, on the main thread, and run there.
private struct MainThreadAction: @unchecked Sendable {
    let run: () -> Void
}
