#if canImport(CoreLocation)
package import CoreLocation
import YonderGeodesy

// `CoreLocationSource` and `CoreLocationDevice` of `IONGeolocationLib` call these on the main thread; both must ask Core
// Location for the same (`make test-apple`).
extension CLLocationManager {
    /// Sets the accuracy and the distance filter; without a minimum distance every move counts.
    package func apply(_ configuration: SourceConfiguration) {
        setAccuracy(isHigh: configuration.isHighAccuracy)
        distanceFilter = configuration.minimumDistance?.meters ?? kCLDistanceFilterNone
    }

    /// Sets the best accuracy of the device, or three kilometers.
    package func setAccuracy(isHigh: Bool) {
        desiredAccuracy = isHigh ? kCLLocationAccuracyBest : kCLLocationAccuracyThreeKilometers
    }

    /// Shows the system's prompt.
    package func requestAuthorization(_ request: AuthorizationRequest) {
        switch request {
        case .whenInUse: requestWhenInUseAuthorization()
        case .always: requestAlwaysAuthorization()
        }
    }

    /// Starts positions, and headings if the system supports them.
    package func startMonitoring() {
        startUpdatingLocation()
        startCompass()
    }

    /// Stops positions, and headings if the system supports them.
    package func stopMonitoring() {
        stopUpdatingLocation()
        stopCompass()
    }
}
#endif
