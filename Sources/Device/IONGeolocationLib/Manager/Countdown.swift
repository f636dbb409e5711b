import Dispatch

/// Runs an action on the main thread after a time, once, unless the countdown is released before.
///
/// `IONGLOCManagerWrapper` holds the one of its latest request, and releases it with the first position or failure.
///
/// It can't fail; a time of zero or less is over at once (`ServiceWrapperTests`).
final class Countdown {
    private let work: DispatchWorkItem

    /// Starts the countdown.
    init(milliseconds: Int, whenOver action: @escaping () -> Void) {
        let action = MainThreadAction(run: action)
        work = DispatchWorkItem { action.run() }
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
    }

    deinit {
        work.cancel()
    }
}

/// An action to run on the main thread.
// Safe because it is created where the wrapper is used, on the main thread, and run there.
private struct MainThreadAction: @unchecked Sendable {
    let run: () -> Void
}
