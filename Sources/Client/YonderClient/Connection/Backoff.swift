package import YonderLink

/// The wait before reconnecting: a random time up to a bound that doubles with each failure.
///
/// After a server restarts, its clients reconnect spread over time.
///
/// An app sets it in `ClientSettings`; `ConnectionLoop` waits by it. The defaults may change with
/// `Documentation/connections.md` (`ConnectionLoopTests`).
public struct Backoff: Hashable, Sendable {
    /// The wait that these bounds give.
    package private(set) var wait: JitteredWait

    /// The bound after the first failure.
    public var minimum: Duration {
        get { wait.minimum }
        set { wait.minimum = newValue }
    }

    /// The greatest bound.
    public var maximum: Duration {
        get { wait.maximum }
        set { wait.maximum = newValue }
    }

    /// Creates a backoff, by default from half a second to a minute.
    public init(minimum: Duration = .milliseconds(500), maximum: Duration = .seconds(60)) {
        wait = JitteredWait(minimum: minimum, maximum: maximum)
    }
}
