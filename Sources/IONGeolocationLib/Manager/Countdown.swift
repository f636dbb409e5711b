import Dispatch

/// Does something on the main thread when a time is over, unless it is canceled or gone before.
final class Countdown {
    private let work: DispatchWorkItem

    /// Starts to count.
    init(milliseconds: Int, whenOver action: @escaping () -> Void) {
        work = DispatchWorkItem(block: action)
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
    }

    deinit {
        work.cancel()
    }
}
