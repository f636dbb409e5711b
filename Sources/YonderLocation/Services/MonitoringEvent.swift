public import YonderGeodesy

/// What a watch tells.
public enum MonitoringEvent: Sendable {
    /// The device is here now.
    case position(Position)

    /// Nothing has come since a time, when the last position arrived. Told once; positions may return by themselves.
    case stalled(since: Timestamp)

    /// Something went wrong. The watch goes on, unless the code is ``LocationError/Code/sourceEnded``.
    case failure(LocationError)

    /// The position, if it is one.
    public var position: Position? {
        guard case .position(let position) = self else { return nil }
        return position
    }
}
