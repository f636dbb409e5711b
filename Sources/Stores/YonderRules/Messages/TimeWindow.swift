package import YonderGeodesy
import YonderModel

/// Times between which a log's messages are looked for by their numbers.
///
/// A log is in the order of its times, but for logs of earlier versions, in which the time of a message may be up to
/// ``stepBack`` below that of an earlier one. The first number with a time, found by bisection, is then that far off at
/// most, and each search looks for a time that much beyond the one that was asked for:
///
/// ```
///   asked for            from ├─────────────────────┤ to
///   searched   from - stepBack ├───────────────────────────┤ to + stepBack
/// ```
///
/// Every message in the window has a number in the range that is found; not every number in it has a time in the window.
///
/// The readers of both stores make one of a query's times and search by it; a window without messages has an empty
/// range, and nothing fails. Bisection must stay: a log has no index by time (decision 40, `TimeWindowTests`, with logs
/// that step back).
package struct TimeWindow: Hashable, Sendable {
    /// The first time, or `nil` for the log's beginning.
    package let from: Timestamp?

    /// The first time behind it, or `nil` for the log's end.
    package let to: Timestamp?

    /// How many milliseconds a message's time lies at most below that of an earlier message.
    package let stepBack: Int64

    /// Creates a window over a log with this largest step back.
    package init(from: Timestamp?, to: Timestamp?, stepBack: Int64) {
        self.from = from
        self.to = to
        self.stepBack = max(0, stepBack)
    }

    /// The time whose first number is the lowest of the range, or `nil` if that is the log's first.
    package var lowest: Timestamp? {
        from.map { Timestamp(milliseconds: Self.sum($0.milliseconds, -stepBack)) }
    }

    /// The time whose first number is the first one behind the range, or `nil` if the range reaches the log's end.
    package var end: Timestamp? {
        to.map { Timestamp(milliseconds: Self.sum($0.milliseconds, stepBack)) }
    }

    /// The part of some numbers in which every message of the window is.
    ///
    /// - Parameters:
    ///   - numbers: The log's numbers.
    ///   - time: Returns the time of a number, or of the next one that there is; `nil` behind the last.
    /// - Returns: The range, or `nil` if none of the numbers is in the window.
    /// - Throws: What `time` throws.
    package func range(
        in numbers: ClosedRange<Int64>,
        time: (Int64) throws -> Timestamp?
    ) rethrows -> ClosedRange<Int64>? {
        let first = try lowest.map { try Self.first(in: numbers, from: $0, time) } ?? numbers.lowerBound
        guard first <= numbers.upperBound else { return nil }
        guard let end else { return first...numbers.upperBound }
        let behind = try Self.first(in: first...numbers.upperBound, from: end, time)
        return first < behind ? first...behind - 1 : nil
    }

    /// The first number with a time from `bound` on in an ordered log; one more than the last if there is none.
    private static func first(
        in numbers: ClosedRange<Int64>,
        from bound: Timestamp,
        _ time: (Int64) throws -> Timestamp?
    ) rethrows -> Int64 {
        var (low, high) = (numbers.lowerBound, numbers.upperBound + 1)
        while low < high {
            let middle = low + (high - low) / 2
            if try time(middle).map({ $0 < bound }) ?? false { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, overflows) = one.addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}
