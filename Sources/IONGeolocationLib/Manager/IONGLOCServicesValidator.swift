#if canImport(CoreLocation)
import CoreLocation

/// Asks the system whether location services are on.
public struct IONGLOCServicesValidator: IONGLOCServicesChecker {
    /// Creates a checker.
    public init() {}

    /// Whether location services are on, as the device's settings say.
    ///
    /// The system may take its time, so that asking on the main thread can make an app stutter.
    public func areLocationServicesEnabled() -> Bool {
        CLLocationManager.locationServicesEnabled()
    }
}
#endif
