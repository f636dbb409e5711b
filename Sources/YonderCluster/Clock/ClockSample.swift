package import YonderGeodesy

/// One question for the time of another clock, such as the database's.
package struct ClockSample: Hashable, Sendable {
    /// The monotonic time at which the question was sent.
    package let sent: ContinuousClock.Instant

    /// The other clock's time in the answer.
    package let time: Timestamp

    /// The monotonic time at which the answer came.
    package let received: ContinuousClock.Instant

    /// Creates a sample.
    package init(sent: ContinuousClock.Instant, time: Timestamp, received: ContinuousClock.Instant) {
        self.sent = sent
        self.time = time
        self.received = received
    }

    /// The time between question and answer.
    package var roundTrip: Duration { received - sent }

    /// The greatest error of the estimate ``time(at:)``: the other clock was read at any moment of the round trip.
    package var uncertainty: Duration { roundTrip / 2 }

    /// The other clock's time at a monotonic time, if it was read in the middle of the round trip.
    package func time(at now: ContinuousClock.Instant) -> Timestamp {
        time + (now - sent - uncertainty)
    }
}
