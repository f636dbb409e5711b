#if canImport(CoreLocation)
import CoreLocation

/// Checks with the system whether location services are on.
///
/// The default checker of the wrapper over Core Location. Its name must stay (`make foreign-suite`).
public struct IONGLOCServicesValidator: IONGLOCServicesChecker {
    /// Creates a checker.
    public init() {}

    /// Whether location services are on, according to the device's settings.
    ///
    /// The system may need some time, so calling this on the main thread can make an app stutter.
    public func areLocationServicesEnabled() -> Bool {
        CLLocationManager.locationServicesEnabled()
    }
}
#endif
