/// A position of a device, with its time.
///
/// Values that the device didn't send are `nil`.
public struct Position: Hashable, Sendable {
    /// The point on the Earth's surface.
    public var coordinate: Coordinate

    /// The time at which the device was there.
    public var timestamp: Timestamp

    /// The height above mean sea level.
    public var altitude: Distance?

    /// The radius around the coordinate within which the device is likely to be; never negative.
    public var horizontalAccuracy: Distance?

    /// The estimated error of the altitude; never negative.
    public var verticalAccuracy: Distance?

    /// The direction of travel, from true north.
    public var course: Angle?

    /// The speed over ground.
    public var speed: Speed?

    /// The direction the device faces, from an unspecified north.
    public var heading: Angle?

    /// The direction the device faces, from magnetic north.
    public var magneticHeading: Angle?

    /// The direction the device faces, from true north.
    public var trueHeading: Angle?

    /// The estimated error of the headings, in degrees to either side.
    public var headingAccuracy: Angle?

    /// Creates a position.
    ///
    /// A negative accuracy, with which some devices mark an unknown one, becomes `nil`.
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
