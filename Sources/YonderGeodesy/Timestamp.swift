/// A moment, in whole milliseconds since the beginning of 1970 in UTC.
public struct Timestamp: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let milliseconds: Int64

    /// Creates the moment that lies so many milliseconds after the beginning of 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The moment so much later, or earlier if `duration` is negative.
    ///
    /// A part of a millisecond is dropped toward zero. What would lie beyond the first or the last moment
    /// stops there.
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

    /// The moment so much later; see ``advanced(by:)``.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        moment.advanced(by: duration)
    }

    /// The moment so much earlier; see ``advanced(by:)``.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        moment.advanced(by: .zero - duration)
    }

    /// How much later the left moment is than the right one.
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds)
    }
}

extension Timestamp: Comparable {
    /// Whether the left moment is before the right one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Timestamp: CustomStringConvertible {
    /// The moment as ISO 8601 writes it; see ``iso8601``.
    public var description: String {
        iso8601
    }
}
