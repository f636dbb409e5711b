/// Where a device was, and when.
///
/// What the device didn't say is `nil`.
public struct Position: Hashable, Sendable {
    /// The point on the Earth's surface.
    public var coordinate: Coordinate

    /// When the device was there.
    public var timestamp: Timestamp

    /// The height above mean sea level.
    public var altitude: Distance?

    /// The radius around the coordinate within which the device probably is; never negative.
    public var horizontalAccuracy: Distance?

    /// How far the altitude is probably off; never negative.
    public var verticalAccuracy: Distance?

    /// The direction of travel, from true north.
    public var course: Angle?

    /// How fast the device moved over ground.
    public var speed: Speed?

    /// The direction the device faces, where the source doesn't say from which north.
    public var heading: Angle?

    /// The direction the device faces, from magnetic north.
    public var magneticHeading: Angle?

    /// The direction the device faces, from true north.
    public var trueHeading: Angle?

    /// How far the headings are probably off, in degrees to either side.
    public var headingAccuracy: Angle?

    /// Creates a position.
    ///
    /// A negative accuracy, by which some devices say that they don't know, is taken as `nil`.
    public init(
        coordinate: Coordinate,
        timestamp: Timestamp,
        altitude: Distance? = nil,
        horizontalAccuracy: Distance? = nil,
        verticalAccuracy: Distance? = nil,
        course: Angle? = nil,
        speed: Speed? = nil,
        heading: Angle? = nil,
        magneticHeading: Angle? = nil,
        trueHeading: Angle? = nil,
        headingAccuracy: Angle? = nil
    ) {
        self.coordinate = coordinate
        self.timestamp = timestamp
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy.flatMap { $0 < .zero ? nil : $0 }
        self.verticalAccuracy = verticalAccuracy.flatMap { $0 < .zero ? nil : $0 }
        self.course = course
        self.speed = speed
        self.heading = heading
        self.magneticHeading = magneticHeading
        self.trueHeading = trueHeading
        self.headingAccuracy = headingAccuracy
    }
}
