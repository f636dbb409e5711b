public import YonderGeodesy

/// An event of a watch.
///
/// `WatchQueue` makes it, a `LocationWatch` delivers it, and apps switch over it: a further case would break them
/// (`make check-api`, `WatchPowerTests`).
public enum MonitoringEvent: Sendable {
    /// The device's new position.
    case position(Position)

    /// No position has arrived since this time. Reported once; positions may resume on their own.
    case stalled(since: Timestamp)

    /// A failure. The watch continues, unless the code is ``LocationError/Code/sourceEnded``.
    case failure(LocationError)

    /// The position, if the event is one.
    public var position: Position? {
        guard case .position(let position) = self else { return nil }
        return position
    }
}
