import YonderGeodesy

/// A position of a device, with its time.
///
/// As in Core Location, a negative number means that the value is unknown; an unknown heading is `nil`. In JSON the keys are the
/// names of the properties, each value is a number, and a heading that isn't known is left out.
public struct IONGLOCPositionModel: Equatable, Codable, Sendable {
    /// Meters above mean sea level; valid only if ``verticalAccuracy`` is positive.
    public let altitude: Double

    /// The direction of travel in degrees from true north, or negative.
    public let course: Double

    /// The radius in meters around the coordinate within which the device is likely to be, or negative.
    public let horizontalAccuracy: Double

    /// Degrees north of the equator.
    public let latitude: Double

    /// Degrees east of Greenwich.
    public let longitude: Double

    /// Meters per second over ground, or negative.
    public let speed: Double

    /// Milliseconds since 1970.
    public let timestamp: Double

    /// The estimated error of the altitude in meters, or negative.
    public let verticalAccuracy: Double

    /// The direction the device faces, in degrees from magnetic north.
    public let magneticHeading: Double?

    /// The direction the device faces, in degrees from true north.
    public let trueHeading: Double?

    /// The estimated error of the headings, in degrees to either side.
    public let headingAccuracy: Double?
}

extension IONGLOCPositionModel {
    /// Converts a position; absent values become negative.
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
            headingAccuracy: position.headingAccuracy
        )
    }
}
