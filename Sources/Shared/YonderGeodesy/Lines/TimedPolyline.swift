import RealModule

/// A line whose coordinates have times, for simplifying where a person was and when.
///
/// Moves at one speed along an arc between neighbors.
///
/// `ChatTracks` of the server simplifies a person's past positions with it, for answers that must stay small. Times that
/// aren't in order give a wrong line, not a failure. What is promised to clients is the greatest deviation, which is
/// returned; which coordinates are kept may change (`TimedPolylineTests`, `Documentation/rest.md`).
public struct TimedPolyline: Hashable, Sendable {
    /// The coordinates in order.
    public let coordinates: [Coordinate]

    /// The time of each coordinate, none before the one in front of it.
    public let times: [Timestamp]

    /// Creates a line through points, which must be in the order of their times.
    public init(_ points: [(time: Timestamp, coordinate: Coordinate)]) {
        coordinates = points.map(\.coordinate)
        times = points.map(\.time)
    }

    /// The indexes of the coordinates that a simplified line keeps, in order.
    ///
    /// A coordinate left out lies within the tolerance of where the simplified line is at its time, so the line
    /// begins and ends a stop when the original does. The first and the last are always kept. Synchronized
    /// distances by N. Meratnia and R. A. de By, *Spatiotemporal Compression Techniques for Moving Point Objects*
    /// (2004). Takes at most `limit` times n steps.
    ///
    /// - Parameters:
    ///   - tolerance: How far a coordinate left out may lie from the simplified line, unless there would be too many.
    ///   - longestGap: How far apart in time two neighbors may be if there was a coordinate between them.
    ///   - limit: How many are kept at most, those first without which the line would deviate most; two count as the least.
    /// - Returns: Which ones are kept, and how far any other lies from where the line is at its time at most.
    public func keptIndices(tolerance: Distance, longestGap: Duration, limit: Int)
        -> (indices: [Int], deviation: Distance)
    {
        guard coordinates.count > 2 else { return (Array(coordinates.indices), .zero) }
        let points = coordinates.map(Vector.init)
        let least = tolerance / Coordinate.earthRadius
        let gap = Int64(longestGap / .milliseconds(1))
        func part(_ span: ClosedRange<Int>) -> Part { Part(span, of: points, at: times, gap: gap) }

        var kept = [0, points.count - 1]
        var parts = [part(0...(points.count - 1))]
        while kept.count < limit,
            let place = parts.indices.max(by: { parts[$0].urgency < parts[$1].urgency }),
            parts[place].urgency > least, let index = parts[place].index
        {
            let span = parts[place].span
            kept.append(index)
            parts[place] = part(span.lowerBound...index)
            parts.append(part(index...span.upperBound))
        }
        let arc = parts.map(\.arc).max() ?? 0
        return (kept.sorted(), Coordinate.earthRadius * arc)
    }

    /// A part of the line that one arc stands for.
    private struct Part {
        let span: ClosedRange<Int>

        /// Where to split it: the inner point that is farthest from its place on the arc; `nil` without inner points.
        let index: Int?

        /// How far that is, in radians.
        let arc: Double

        /// The part with the greatest one is split next: the distance, but of a part over the longest gap more than any.
        let urgency: Double

        init(_ span: ClosedRange<Int>, of points: [Vector], at times: [Timestamp], gap: Int64) {
            self.span = span
            let (start, end) = (times[span.lowerBound].milliseconds, times[span.upperBound].milliseconds)
            let duration = Double(end) - Double(start)
            var farthest: (index: Int?, arc: Double) = (nil, 0)
            for index in span.dropFirst().dropLast() {
                let share = duration > 0 ? (Double(times[index].milliseconds) - Double(start)) / duration : 0
                let place = points[span.lowerBound].moved(share, toward: points[span.upperBound])
                let distance = place.angle(to: points[index])
                if farthest.index == nil || distance > farthest.arc { farthest = (index, distance) }
            }
            let isTooLong = farthest.index != nil && duration > Double(gap)
            index = isTooLong ? Self.middle(of: span, at: times) : farthest.index
            arc = farthest.arc
            urgency = isTooLong ? 4 + duration : arc
        }

        /// The inner index whose time is nearest to the middle of the span's times.
        private static func middle(of span: ClosedRange<Int>, at times: [Timestamp]) -> Int? {
            let ends = [times[span.lowerBound], times[span.upperBound]].map { Double($0.milliseconds) }
            let middle = (ends[0] + ends[1]) / 2
            func distance(_ index: Int) -> Double { (Double(times[index].milliseconds) - middle).magnitude }
            return span.dropFirst().dropLast().min { distance($0) < distance($1) }
        }
    }
}

extension Vector {
    /// The unit vector a share of the way toward another one, which isn't its opposite.
    fileprivate func moved(_ share: Double, toward other: Vector) -> Vector {
        let place = self + (other - self) * share
        let length = place.length
        return length > 0 ? place * (1 / length) : self
    }

    /// The angle to another unit vector, in radians.
    fileprivate func angle(to other: Vector) -> Double {
        2 * .asin(min(1, (other - self).length / 2))
    }
}
