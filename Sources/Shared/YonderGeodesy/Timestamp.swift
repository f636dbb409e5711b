/// A point in time, in whole milliseconds since the beginning of 1970 in UTC.
///
/// All times of the server, the wire and the client are this type; a `Date` is made where Foundation or Apple's frameworks
/// need one. No operation fails or traps: sums that overflow stop at the first or last time. Whole milliseconds since 1970
/// must stay, as frames and databases have that number. ISO 8601 is in `Timestamp+ISO8601.swift` (`TimestampTests`).
public struct Timestamp: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let milliseconds: Int64

    /// Creates the time that lies this many milliseconds after the beginning of 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The milliseconds of the times that a peer may send: the years 1970 to 9999, whose differences don't overflow.
    package static let ofPeers: ClosedRange<Int64> = 0...253_402_300_799_999

    /// The time later by a duration, or earlier if `duration` is negative.
    ///
    /// A fraction of a millisecond is dropped toward zero. A result out of range becomes the first or the
    /// last time.
    public func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (whole, tooMany) = seconds.multipliedReportingOverflow(by: 1000)
        let (amount, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        let (moment, beyond) = milliseconds.addingReportingOverflow(amount)
        guard !tooMany, !overflow, !beyond else {
            return Timestamp(milliseconds: duration < .zero ? .min : .max)
        }
        return Timestamp(milliseconds: moment)
    }

    /// The time later by a duration; see ``advanced(by:)``.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        moment.advanced(by: duration)
    }

    /// The time earlier by a duration; see ``advanced(by:)``.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        moment.advanced(by: .zero - duration)
    }

    /// The duration from the right time to the left one.
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds)
    }
}

extension Timestamp: Comparable {
    /// Whether the left time is before the right one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Timestamp: CustomStringConvertible {
    /// The time in ISO 8601; see ``iso8601``.
    public var description: String {
        iso8601
    }
}
