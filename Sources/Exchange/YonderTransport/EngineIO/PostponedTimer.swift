import NIOCore

/// A timer that is moved to a later time again and again: the time is noted, and the timer looks at it when it fires.
///
/// Canceling searches all timers of the event loop, so that a peer that may cause it as often as it likes would slow everyone down.
/// Belongs to its event loop. It keeps its action, and what that captures, until ``cancel()``.
final class PostponedTimer {
    private let eventLoop: any EventLoop
    private var action: (() -> Void)?
    private var due = NIODeadline.uptimeNanoseconds(0)
    private var scheduled: (at: NIODeadline, task: Scheduled<Void>)?

    init(on eventLoop: any EventLoop, action: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.action = action
    }

    /// Runs the action after `delay`, and not before.
    func restart(in delay: TimeAmount) {
        due = eventLoop.now + delay
        if let scheduled, scheduled.at <= due { return }
        scheduled?.task.cancel()
        schedule()
    }

    /// Ends the timer: no later call has an effect.
    func cancel() {
        scheduled?.task.cancel()
        (scheduled, action) = (nil, nil)
    }

    private func schedule() {
        guard action != nil else { return }
        scheduled = (due, eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.look() })
    }

    private func look() {
        scheduled = nil
        if due > eventLoop.now { schedule() } else { action?() }
    }
}
