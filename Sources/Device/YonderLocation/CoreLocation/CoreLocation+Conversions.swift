#if canImport(CoreLocation)
package import CoreLocation
import YonderGeodesy

// Between Core Location's values and this library's, for `CoreLocationSource`, `PocketUpdate` and the wrapper of
// `IONGeolocationLib`; on Apple's platforms alone. Nothing throws: an invalid value is `nil`. A status or an error that a
// newer system adds counts as not determined, or as `positionUnavailable`; name it here when it has a meaning. Which code
// each error becomes is promised in `Documentation/location-apps.md`, and tried by `make test-apple`.
// Messages of errors may change.
extension LocationAuthorization {
    /// Converts a manager's status.
    ///
    /// An unknown status of a newer system counts as not determined.
    package init(_ status: CLAuthorizationStatus) {
        switch status {
        case .restricted: self = .restricted
        case .denied: self = .denied
        case .authorizedAlways: self = .always
        default: self = status.isWhenInUse ? .whenInUse : .notDetermined
        }
    }
}

extension CLAuthorizationStatus {
    /// Core Location on a Mac doesn't have the case.
    fileprivate var isWhenInUse: Bool {
        #if os(macOS)
        false
        #else
        self == .authorizedWhenInUse
        #endif
    }
}

extension Position {
    /// Converts a location; invalid values become absent.
    ///
    /// `nil` if the location has no valid coordinate, which Core Location marks by a negative horizontal
    /// accuracy.
    package init?(_ location: CLLocation) {
        guard
            let accuracy = Distance(meters: location.horizontalAccuracy),
            accuracy >= .zero,
            let coordinate = Coordinate(
                latitude: location.coordinate.latitude,
                longitude: location.coordinate.longitude
            ),
            let milliseconds = Int64(exactly: (location.timestamp.timeIntervalSince1970 * 1000).rounded())
        else { return nil }
        let isAltitudeKnown = location.verticalAccuracy > 0
        self.init(
            coordinate: coordinate,
            timestamp: Timestamp(milliseconds: milliseconds),
            altitude: isAltitudeKnown ? Distance(meters: location.altitude) : nil,
            horizontalAccuracy: accuracy,
            verticalAccuracy: isAltitudeKnown ? Distance(meters: location.verticalAccuracy) : nil,
            course: location.course >= 0 ? Bearing(degrees: location.course) : nil,
            speed: Speed(metersPerSecond: location.speed)
        )
    }
}

extension HeadingReading {
    /// Converts a heading; negative values become absent.
    package init(_ heading: CLHeading) {
        self.init(
            magnetic: heading.magneticHeading,
            true: heading.trueHeading,
            accuracy: heading.headingAccuracy
        )
    }
}

extension LocationError {
    /// Converts an error of Core Location, which becomes the underlying error.
    init(coreLocation error: any Error) {
        switch (error as? CLError)?.code {
        case .denied?, .promptDeclined?:
            self.init(.notAuthorized, "Location services aren't permitted.", underlying: error)
        case .locationUnknown?:
            self.init(
                .positionUnavailable,
                "Core Location has no position yet; it keeps trying.",
                underlying: error
            )
        default:
            self.init(.positionUnavailable, "Core Location failed: \(error)", underlying: error)
        }
    }
}
#endif
