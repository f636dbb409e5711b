import YonderGeodesy

/// The server's clock, as far as its frames show it.
///
/// `Stops` has one. Before the first greeting it is the device's time. That it never lies before a time which the server
/// named must stay, or a stop could leave out a share that began just before it (`StopsTests`).
struct ServerTime: Sendable {
    private var offset = Duration.zero

    /// The latest time that the server has named.
    private var seen: Timestamp?

    /// Call this with the time in the greeting of a connection, when it arrives.
    mutating func greeted(_ time: Timestamp, at now: Timestamp) {
        offset = time - now
        seen = time
    }

    /// Call this with the time of anything that the server has stored.
    mutating func heard(_ time: Timestamp) {
        seen = max(seen ?? time, time)
    }

    /// The server's time, never before one that the server has named on this connection.
    func time(at now: Timestamp) -> Timestamp {
        max(now + offset, seen ?? now + offset)
    }
}
