import YonderGeodesy

/// Where a device was, and when.
///
/// As in Core Location a negative number says that the value isn't known, but for the headings, which are `nil` then.
public struct IONGLOCPositionModel: Equatable, Sendable {
    /// Meters above mean sea level; means nothing if ``verticalAccuracy`` isn't positive.
    public let altitude: Double

    /// The direction of travel in degrees from true north, or negative.
    public let course: Double

    /// The radius in meters around the coordinate within which the device probably is, or negative.
    public let horizontalAccuracy: Double

    /// Degrees north of the equator.
    public let latitude: Double

    /// Degrees east of Greenwich.
    public let longitude: Double

    /// Meters per second over ground, or negative.
    public let speed: Double

    /// Milliseconds since 1970.
    public let timestamp: Double

    /// How many meters the altitude is probably off, or negative.
    public let verticalAccuracy: Double

    /// The direction the device faces, in degrees from magnetic north.
    public let magneticHeading: Double?

    /// The direction the device faces, in degrees from true north.
    public let trueHeading: Double?

    /// How far the headings are probably off, in degrees to either side.
    public let headingAccuracy: Double?
}

extension IONGLOCPositionModel {
    /// Takes over a position; what is absent becomes negative.
    init(_ position: Position) {
        self.init(
            altitude: position.altitude?.meters ?? 0,
            course: position.course?.degrees ?? -1,
            horizontalAccuracy: position.horizontalAccuracy?.meters ?? -1,
            latitude: position.coordinate.latitude,
            longitude: position.coordinate.longitude,
            speed: position.speed?.metersPerSecond ?? -1,
            timestamp: Double(position.timestamp.milliseconds),
            verticalAccuracy: position.verticalAccuracy?.meters ?? -1,
            magneticHeading: position.magneticHeading?.degrees,
            trueHeading: position.trueHeading?.degrees,
            headingAccuracy: position.headingAccuracy?.degrees
        )
    }
}
