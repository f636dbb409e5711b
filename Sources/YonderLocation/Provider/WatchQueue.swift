import YonderGeodesy

/// What one iteration over a watch still has to be told: at most a position and a failure, the newest of each.
///
/// What waits follows from the newest position and the one taken last, so that a reader who falls behind finds the
/// device where it is now, and nothing if it has come back to where that reader saw it.
struct WatchQueue {
    /// What there is for the reader.
    enum Next {
        case event(MonitoringEvent)
        case wait(until: Duration?)
        case ended
    }

    private(set) var configuration: MonitoringConfiguration

    /// Whether the source has ended: then what waits is told, and nothing more.
    private(set) var hasEnded = false

    /// What waits, and the how manieth of all that ever came it is.
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

    /// The number up to which things had come when the reader was told of trouble, if that was told after
    /// ``lastTaken``: any position since then says that all is well again.
    private var trouble: Int?

    init(_ configuration: MonitoringConfiguration) {
        self.configuration = configuration
    }

    /// The minimum distance that the source may keep to for this watch.
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

    /// Takes what is next at a time since the start, if there is anything.
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

    /// Whether ``take(at:)`` would give anything but a wait.
    func hasNews(at elapsed: Duration) -> Bool {
        if failure != nil || pendingPosition != nil || hasEnded { return true }
        return stallDeadline.map { elapsed >= $0 } ?? false
    }

    /// The newest position, if it is worth telling.
    private var pendingPosition: Numbered<Position>? {
        guard let newest else { return nil }
        if let trouble, newest.number > trouble { return newest }
        guard let lastTaken, let distance = configuration.minimumDistance else { return newest }
        return lastTaken.coordinate.distance(to: newest.value.coordinate) >= distance ? newest : nil
    }

    /// When the watch stalls unless a position arrives; `nil` before the first, and once it was told.
    private var stallDeadline: Duration? {
        guard !isStalled, let interval = configuration.stallInterval, let lastArrival else { return nil }
        return lastArrival.elapsed + min(max(interval, .zero), LocationDesk.longestWait)
    }
}
