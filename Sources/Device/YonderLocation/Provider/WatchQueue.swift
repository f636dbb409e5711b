import YonderGeodesy

/// The queue of one iteration over a watch: at most a position and a failure, the newest of each.
///
/// The pending position is computed from the newest position and the last one taken. So a slow reader gets
/// the device's present position, and none if the device returned to the position that the reader has.
///
/// `LocationDesk` has one for each iteration, passes it each position and failure, and takes events when the reader asks.
/// Nothing fails; a slow reader loses older positions and failures, and never the newest of each. When a stall is reported,
/// and that distance is measured from what the reader got, must stay (`LocationDeskTests`, `DeskModel` with random calls,
/// `Documentation/location-apps.md`). Times are those of a clock that never jumps.
///
/// How values are numbered may change.
struct WatchQueue {
    /// The next step for the reader.
    enum Next {
        case event(MonitoringEvent)
        case wait(until: Duration?)
        case ended
    }

    private(set) var configuration: MonitoringConfiguration

    /// Whether the source has ended: the pending events are still delivered, and none after them.
    private(set) var hasEnded = false

    /// A pending value with its number in the order of arrival.
    private struct Numbered<Value> {
        let value: Value
        let number: Int
    }

    private var count = 0
    private var newest: Numbered<Position>?
    private var failure: Numbered<LocationError>?

    private var lastTaken: Position?
    private var lastArrival: Moment?
    private var isStalled = false

    /// The number of values received when the reader got a failure or a stall, if that came after
    /// ``lastTaken``.
    ///
    /// Any position since then shows that the source works again.
    private var trouble: Int?

    init(_ configuration: MonitoringConfiguration) {
        self.configuration = configuration
    }

    /// The minimum distance that the source itself may apply for this watch.
    var sourceDistance: Distance? {
        guard configuration.stallInterval == nil, let distance = configuration.minimumDistance,
            distance > .zero
        else { return nil }
        return distance
    }

    mutating func update(_ configuration: MonitoringConfiguration) {
        self.configuration = configuration
    }

    mutating func receive(_ position: Position, at moment: Moment) {
        guard !hasEnded else { return }
        count += 1
        newest = Numbered(value: position, number: count)
        lastArrival = moment
        isStalled = false
    }

    mutating func receive(_ error: LocationError) {
        guard !hasEnded else { return }
        count += 1
        failure = Numbered(value: error, number: count)
        hasEnded = error.code == .sourceEnded
    }

    /// Takes the next event, given the time since the start.
    mutating func take(at elapsed: Duration) -> Next {
        let position = pendingPosition
        if let failure, failure.number < position?.number ?? .max {
            self.failure = nil
            trouble = failure.number
            return .event(.failure(failure.value))
        }
        if let position {
            lastTaken = position.value
            newest = nil
            trouble = nil
            return .event(.position(position.value))
        }
        if hasEnded { return .ended }
        guard let deadline = stallDeadline, let lastArrival else { return .wait(until: nil) }
        guard elapsed >= deadline else { return .wait(until: deadline) }
        isStalled = true
        trouble = count
        return .event(.stalled(since: lastArrival.time))
    }

    /// Whether ``take(at:)`` would return an event or the end.
    func hasNews(at elapsed: Duration) -> Bool {
        if failure != nil || pendingPosition != nil || hasEnded { return true }
        return stallDeadline.map { elapsed >= $0 } ?? false
    }

    /// The newest position, if it is to be delivered.
    private var pendingPosition: Numbered<Position>? {
        guard let newest else { return nil }
        if let trouble, newest.number > trouble { return newest }
        guard let lastTaken, let distance = configuration.minimumDistance else { return newest }
        return lastTaken.coordinate.distance(to: newest.value.coordinate) >= distance ? newest : nil
    }

    /// The time at which the watch stalls unless a position arrives; `nil` before the first one, and after a
    /// reported stall.
    private var stallDeadline: Duration? {
        guard !isStalled, let interval = configuration.stallInterval, let lastArrival else { return nil }
        return lastArrival.elapsed + min(max(interval, .zero), LocationDesk.longestWait)
    }
}
