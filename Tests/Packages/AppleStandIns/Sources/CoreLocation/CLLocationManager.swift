// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What stands for the system's location services in tests: it keeps its settings and never finds anything.
///
/// A test subclasses it, overrides what it wants to see called, and calls the delegate itself. Nobody is asked for
/// permission, and the delegate isn't told by itself at creation, as it is on Apple's platforms.
open class CLLocationManager: NSObject {
    open weak var delegate: (any CLLocationManagerDelegate)?

    open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
    open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
    open var headingFilter: CLLocationDegrees = 1
    open var headingOrientation: CLDeviceOrientation = .portrait
    open var activityType: CLActivityType = .other
    open var pausesLocationUpdatesAutomatically = true
    open var allowsBackgroundLocationUpdates = false
    open var showsBackgroundLocationIndicator = false

    open var authorizationStatus: CLAuthorizationStatus { .notDetermined }
    open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
    open var location: CLLocation? { nil }
    open var heading: CLHeading? { nil }

    public override init() {}

    @available(*, deprecated, message: "use the property of an instance")
    open class func authorizationStatus() -> CLAuthorizationStatus { .notDetermined }

    open class func locationServicesEnabled() -> Bool { true }

    open class func headingAvailable() -> Bool { true }

    open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

    open func requestWhenInUseAuthorization() {}

    open func requestAlwaysAuthorization() {}

    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {}

    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String,
        completion: (((any Error)?) -> Void)?
    ) {
        completion?(nil)
    }

    open func startUpdatingLocation() {}

    open func stopUpdatingLocation() {}

    open func requestLocation() {}

    open func startUpdatingHeading() {}

    open func stopUpdatingHeading() {}

    open func dismissHeadingCalibrationDisplay() {}

    open func startMonitoringSignificantLocationChanges() {}

    open func stopMonitoringSignificantLocationChanges() {}

    open func startMonitoringVisits() {}

    open func stopMonitoringVisits() {}
}
