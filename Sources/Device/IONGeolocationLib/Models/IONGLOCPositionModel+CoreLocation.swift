#if canImport(CoreLocation)
public import CoreLocation
import YonderLocation

// Conversions from Core Location's values, and no others: those from a location service are beside the type. The wrapper's
// delegate methods call these; apps call ``create(from:heading:)``. Names and the values of absent headings must stay
// (`make foreign-suite`).
extension IONGLOCPositionModel {
    /// Converts a location unchanged, and a heading, whose negative values become absent.
    public static func create(from location: CLLocation, heading: CLHeading? = nil) -> IONGLOCPositionModel {
        Self(location, heading: heading.map(HeadingReading.init))
    }

    /// Converts a location unchanged, with a heading that was selected for it, if one is known.
    init(_ location: CLLocation, heading: HeadingReading?) {
        self.init(
            altitude: location.altitude,
            course: location.course,
            horizontalAccuracy: location.horizontalAccuracy,
            latitude: location.coordinate.latitude,
            longitude: location.coordinate.longitude,
            speed: location.speed,
            timestamp: location.timestamp.timeIntervalSince1970 * 1000,
            verticalAccuracy: location.verticalAccuracy,
            magneticHeading: heading?.magnetic,
            trueHeading: heading?.true,
            headingAccuracy: heading?.accuracy
        )
    }
}
#endif
