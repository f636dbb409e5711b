public import YonderGeodesy

/// A point of a track or a route, or a waypoint: a position whose time may be unknown.
///
/// `GPXReader` and `GeoJSONParser` make it; the writers and `TrackReplay` use it. Nothing is checked: a value out of range
/// was left out by the reader, with a `TrackIssue`. It isn't stored or sent as such, so a value may be added, with its
/// element in `GPXWriter` (`GPXWriterTests`).
public struct TrackPoint: Hashable, Sendable {
    /// The point on the Earth's surface.
    public var coordinate: Coordinate

    /// The time at which the device was there, or `nil` if it is unknown or impossible.
    public var timestamp: Timestamp?

    /// The height above mean sea level.
    public var altitude: Distance?

    /// The direction of travel, from true north.
    public var course: Bearing?

    /// The speed over ground.
    public var speed: Speed?

    /// The point's name.
    public var name: String?

    /// Creates a point.
    public init(
        coordinate: Coordinate,
        timestamp: Timestamp? = nil,
        altitude: Distance? = nil,
        course: Bearing? = nil,
        speed: Speed? = nil,
        name: String? = nil
    ) {
        self.coordinate = coordinate
        self.timestamp = timestamp
        self.altitude = altitude
        self.course = course
        self.speed = speed
        self.name = name
    }

    /// Creates the point of a position; accuracies and headings are left out.
    public init(_ position: Position) {
        self.init(
            coordinate: position.coordinate,
            timestamp: position.timestamp,
            altitude: position.altitude,
            course: position.course,
            speed: position.speed
        )
    }

    /// The point as a position, or `nil` if its time is unknown.
    public var position: Position? {
        timestamp.map {
            Position(coordinate: coordinate, timestamp: $0, altitude: altitude, course: course, speed: speed)
        }
    }
}
