/// A position of a device, with its time.
///
/// Values that the device didn't send are `nil`.
///
/// Every source of `YonderLocation` makes positions, the client sends them as location messages (`Message+Position.swift`),
/// and map views draw them. Creating one checks only the sign of accuracies. A further value is `nil` by default, and needs
/// its key in `Position+Codable.swift` and `Message+Position.swift` to be stored or sent (`MessagePositionTests`). Units are
/// in the types.
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
    public var course: Bearing?

    /// The speed over ground.
    public var speed: Speed?

    /// The direction the device faces, from an unspecified north.
    public var heading: Bearing?

    /// The direction the device faces, from magnetic north.
    public var magneticHeading: Bearing?

    /// The direction the device faces, from true north.
    public var trueHeading: Bearing?

    /// The estimated error of the headings: degrees to either side, in `0..<360`.
    public var headingAccuracy: Double?

    /// Creates a position.
    ///
    /// A negative accuracy, with which some devices mark an unknown one, becomes `nil`.
    public init(
        coordinate: Coordinate,
        timestamp: Timestamp,
        altitude: Distance? = nil,
        horizontalAccuracy: Distance? = nil,
        verticalAccuracy: Distance? = nil,
        course: Bearing? = nil,
        speed: Speed? = nil,
        heading: Bearing? = nil,
        magneticHeading: Bearing? = nil,
        trueHeading: Bearing? = nil,
        headingAccuracy: Double? = nil
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
        self.headingAccuracy = headingAccuracy.flatMap { $0 < 0 ? nil : $0 }
    }
}
