package import YonderGeodesy

/// One reading of another clock, such as the database's, by a query and its answer.
///
/// `PostgreSQLStore` makes one for each answer, and `DatabaseClock` measures by several; which of them counts is decided in
/// `SharedClock`. Making one never fails. The error bound holds only if both instants are of this process's monotonic clock.
package struct ClockSample: Hashable, Sendable {
    /// The monotonic time at which the query was sent.
    package let sent: ContinuousClock.Instant

    /// The other clock's time in the answer.
    package let time: Timestamp

    /// The monotonic time at which the answer was received.
    package let received: ContinuousClock.Instant

    /// Creates a sample.
    package init(sent: ContinuousClock.Instant, time: Timestamp, received: ContinuousClock.Instant) {
        self.sent = sent
        self.time = time
        self.received = received
    }

    /// The time between query and answer.
    package var roundTrip: Duration { received - sent }

    /// The greatest error of the estimate ``time(at:)``: half of the round trip, because the moment of the reading within it
    /// is unknown.
    package var uncertainty: Duration { roundTrip / 2 }

    /// The other clock's estimated time at a monotonic time, as if it had been read in the middle of the round trip.
    package func time(at now: ContinuousClock.Instant) -> Timestamp {
        time + (now - sent - uncertainty)
    }
}
