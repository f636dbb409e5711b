/// How patient a source is with its receiver.
public struct ReceiverTiming: Hashable, Sendable {
    /// How long making a connection may take.
    public var connecting: Duration

    /// After which time without a word a receiver counts as silent.
    ///
    /// A source then says so, asks again where there is somebody to ask, and hangs up if even that brings no answer.
    public var silence: Duration

    /// The longest wait after the first failure; each further one doubles it.
    public var firstRetry: Duration

    /// The longest wait that there is.
    ///
    /// The wait itself is drawn between half of the longest and all of it.
    public var lastRetry: Duration

    /// Creates a timing; what isn't given suits a receiver that reports once a second.
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

    /// The longest wait after so many failures, of which the last one has just happened.
    func retry(afterFailures failures: Int) -> Duration {
        let doublings = min(max(failures - 1, 0), 20)
        return min(lastRetry, firstRetry * Double(1 << doublings))
    }
}
