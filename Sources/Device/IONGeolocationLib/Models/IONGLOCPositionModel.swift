import YonderGeodesy

/// A position of a device, with its time, as apps and plugins written for `IONGeolocationLib` receive it.
///
/// ``IONGLOCManagerWrapper`` makes one of each position that its device finds, and publishes it on the main thread. Making
/// one never fails. As in Core Location, a negative course, speed or accuracy means that the value is unknown; an unknown
/// heading is `nil`.
///
/// In JSON the keys are the names of the properties, each value is a number, and a heading that isn't known is left out;
/// JSON without one of the eight other numbers isn't decoded. The properties' names, types and units must stay: the library
/// that this one replaces has the same, and plugins send the JSON to pages (`PositionModelTests`, `PluginTests`). A further
/// property must be optional, for JSON of before.
public struct IONGLOCPositionModel: Equatable, Codable, Sendable {
    /// Meters above mean sea level; valid only if ``verticalAccuracy`` is positive, and 0 for a service that knows no altitude.
    public let altitude: Double

    /// The direction of travel in degrees clockwise from true north, in `0..<360`, or negative.
    public let course: Double

    /// The radius in meters around the coordinate within which the device is likely to be, or negative.
    public let horizontalAccuracy: Double

    /// Degrees north of the equator, in WGS 84.
    public let latitude: Double

    /// Degrees east of Greenwich, in WGS 84.
    public let longitude: Double

    /// Meters per second over ground, or negative.
    public let speed: Double

    /// When the position was measured, in milliseconds since 1970, UTC.
    public let timestamp: Double

    /// The estimated error of the altitude in meters, or negative.
    public let verticalAccuracy: Double

    /// The direction that the device faces, in degrees clockwise from magnetic north, or `nil` if it is unknown.
    public let magneticHeading: Double?

    /// The direction that the device faces, in degrees clockwise from true north, or `nil` if it is unknown.
    public let trueHeading: Double?

    /// The estimated error of both headings, in degrees to either side, or `nil` if it is unknown.
    public let headingAccuracy: Double?
}

extension IONGLOCPositionModel {
    /// Converts a position of a location service: an absent course, speed or accuracy becomes -1, an absent altitude 0.
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
