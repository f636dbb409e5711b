/// The wait before reconnecting: a random time up to a bound that doubles with each failure.
///
/// Full jitter, as in Brooker, *Exponential Backoff And Jitter* (2015): after a server restarts, its clients
/// reconnect spread over time.
///
/// `ConnectionState` has one for a client's connection; `Backoff` and `SocketIOSettings` set the bounds, which may change
/// (`ConnectionStateTests`).
package struct JitteredWait: Hashable, Sendable {
    /// The bound after the first failure.
    package var minimum: Duration

    /// The greatest bound.
    package var maximum: Duration

    private var failures = 0

    package init(minimum: Duration = .milliseconds(500), maximum: Duration = .seconds(60)) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Counts a failure, and returns a random wait.
    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let bound = min(maximum, minimum * Double(1 << min(failures, 20)))
        failures += 1
        return bound * Double.random(in: 0...1, using: &generator)
    }

    /// Resets the count of failures.
    package mutating func reset() {
        failures = 0
    }
}
