/// The timeouts and retries of a source.
///
/// An app or a test gives one to a `GpsdSource` or `NMEASource`; `ReceiverSession` asks for each wait. Nothing is checked.
/// The defaults may change with `Documentation/receivers.md` (`GpsdSessionTests`, `NMEASessionTests`).
public struct ReceiverTiming: Hashable, Sendable {
    /// The timeout for connecting.
    public var connecting: Duration

    /// The time without data after which a receiver counts as silent.
    ///
    /// A source then reports it, sends a request if the protocol has one, and disconnects if there is still
    /// no answer.
    public var silence: Duration

    /// The longest wait after the first failure; each further one doubles it.
    public var firstRetry: Duration

    /// The upper bound of all waits.
    ///
    /// The actual wait is drawn between half of its bound and all of it.
    public var lastRetry: Duration

    /// Creates a timing; the defaults suit a receiver that sends data once a second.
    public init(
        connecting: Duration = .seconds(10),
        silence: Duration = .seconds(10),
        firstRetry: Duration = .milliseconds(500),
        lastRetry: Duration = .seconds(30)
    ) {
        self.connecting = connecting
        self.silence = silence
        self.firstRetry = firstRetry
        self.lastRetry = lastRetry
    }

    /// The longest wait after this number of failures, the last of which has just happened.
    func retry(afterFailures failures: Int) -> Duration {
        let doublings = min(max(failures - 1, 0), 20)
        return min(lastRetry, firstRetry * Double(1 << doublings))
    }
}
