import NIOCore

/// When the rounds of an event loop end: at once on an idle loop, later the busier it is, as ``Pacing`` says.
///
/// ```
///   idle ── request: at once, or at the next flush ──▶ scheduled ── began ──▶ idle ── ended ──▶ idle, paced
/// ```
///
/// `HubLoop` has one, on its loop, and performs the action. It is a plain value, and nothing fails. A request while one
/// is scheduled does nothing, so that a round's frames are written once (decision 3). How long rounds are under load is
/// ``Pacing``'s (`FlushScheduleTests`, `PacingTests`).
///
/// That a request is never forgotten must stay: frames would wait for the next one.
struct FlushSchedule {
    /// When to flush.
    enum Action: Hashable {
        /// At the end of this turn of the event loop.
        case soon
        /// At a time.
        case at(NIODeadline)
    }

    private var pacing: Pacing
    private var next = NIODeadline.uptimeNanoseconds(0)

    /// Whether a flush is scheduled that hasn't begun.
    private(set) var isScheduled = false

    /// Creates the schedule of a loop whose thread has used so many nanoseconds of processor time.
    init(at now: NIODeadline, processor: Int64) {
        pacing = Pacing(wall: Int64(clamping: now.uptimeNanoseconds), processor: processor)
    }

    /// Call this when a topic or a session has frames to send.
    ///
    /// - Returns: When to flush; `nil` if that is scheduled already.
    mutating func request(at now: NIODeadline) -> Action? {
        guard !isScheduled else { return nil }
        isScheduled = true
        return now >= next ? .soon : .at(next)
    }

    /// Called when a flush begins: a request from now on needs another one.
    mutating func began() {
        isScheduled = false
    }

    /// Called when a flush has ended.
    mutating func ended(at now: NIODeadline, processor: Int64) {
        let wait = pacing.flushed(wall: Int64(clamping: now.uptimeNanoseconds), processor: processor)
        next = now + .nanoseconds(wait)
    }
}
