package import YonderGeodesy
package import YonderModel

/// The paths of a chat's participants: a simplified line for each, built from pages of the chat's log.
///
/// `TrackEndpoints` makes one for each request, passes it pages of messages in their order, and takes the lines. It is a
/// plain value, and nothing throws: a message without a position is passed over. That the ends of stops and gaps stay in
/// a line must stay, since viewers read times from them; the limits are promised in `Documentation/rest.md`.
package struct ChatTracks: Sendable {
    /// A simplified line.
    package struct Track: Hashable, Sendable {
        /// The participant.
        package let user: UserID

        /// The positions that are left, in the order of their times; at most ``ChatTracks/pointLimit``.
        package let points: [Point]

        /// How far a position that was left out lies at most from where the line is at its time.
        package let deviation: Distance
    }

    /// A position of a line.
    package struct Point: Hashable, Sendable {
        /// When the sender was there.
        package let time: Timestamp

        /// The position.
        package let coordinate: Coordinate
    }

    /// How many positions a line has at most.
    package static let pointLimit = 2_000

    /// How far apart in time two positions of a line may be if there was one between them, so that the ends of stops and
    /// of gaps stay.
    package static let longestGap = Duration.seconds(300)

    /// How many messages are read for one answer.
    package static let messageLimit = 10_000

    /// How long after it was taken a position may come and still be found by its time.
    package static let longestDelay = Duration.seconds(86_400)

    private let times: Range<Timestamp>
    private var points: [UserID: [(Recency, Coordinate)]] = [:]

    /// How many messages were taken in.
    package private(set) var count = 0

    /// Prepares to put together what was at these times.
    package init(_ times: Range<Timestamp>) {
        self.times = times
    }

    /// The times of arrival at which such positions came.
    package var arrival: Range<Timestamp> {
        let end = times.upperBound.milliseconds.addingReportingOverflow(
            Int64(Self.longestDelay / .milliseconds(1))
        )
        let start = times.lowerBound.milliseconds.subtractingReportingOverflow(
            Int64(Message.clockTolerance / .milliseconds(1))
        )
        let first = Timestamp(milliseconds: start.overflow ? .min : start.partialValue)
        return first..<Timestamp(milliseconds: end.overflow ? .max : end.partialValue)
    }

    /// Adds messages of the log; those without a position in the time range are skipped.
    package mutating func take(_ messages: [Message]) {
        count += messages.count
        for message in messages {
            guard let position = message.position, times.contains(position.timestamp) else { continue }
            let recency = Recency(moment: position.timestamp, number: message.number)
            points[message.sender, default: []].append((recency, position.coordinate))
        }
    }

    /// The lines, in the order of their people's ids.
    ///
    /// - Parameter tolerance: How far a position that is left out may lie from where its line is at its time, unless there would be
    ///   too many.
    /// - Returns: One for each person with a position.
    package func simplified(tolerance: Distance) -> [Track] {
        points.sorted { $0.key < $1.key }.map { user, points in
            let ordered = points.sorted { $0.0 < $1.0 }
            let path = TimedPolyline(ordered.map { ($0.0.moment, $0.1) })
            let kept = path.keptIndices(
                tolerance: tolerance,
                longestGap: Self.longestGap,
                limit: Self.pointLimit
            )
            return Track(
                user: user,
                points: kept.indices.map { Point(time: ordered[$0].0.moment, coordinate: ordered[$0].1) },
                deviation: kept.deviation
            )
        }
    }
}
