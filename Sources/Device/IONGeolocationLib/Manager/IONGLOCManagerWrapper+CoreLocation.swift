#if canImport(CoreLocation)
public import CoreLocation
import YonderLocation

// The wrapper over Core Location: its initializer, and the manager's delegate methods, which the manager calls on the main
// thread. Apps call the initializer without arguments; their tests call the delegate methods themselves. Names and signatures
// must stay, therefore (`make foreign-suite`, `make test-apple`). A failure reaches the subscribers by `deviceFailed()`.
extension IONGLOCManagerWrapper {
    /// Creates a wrapper over a Core Location manager, and becomes its delegate.
    ///
    /// - Parameters:
    ///   - locationManager: The manager, whose delegate and filters belong to the wrapper from now on.
    ///   - servicesChecker: Checks whether location services are on.
    public convenience init(
        locationManager: CLLocationManager = CLLocationManager(),
        servicesChecker: any IONGLOCServicesChecker = IONGLOCServicesValidator()
    ) {
        self.init(device: CoreLocationDevice(locationManager, servicesChecker: servicesChecker))
    }
}

extension IONGLOCManagerWrapper: CLLocationManagerDelegate {
    /// Called when the manager's permission has changed.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        deviceChanged(IONGLOCAuthorisation(LocationAuthorization(manager.authorizationStatus)))
    }

    /// Called when the manager has found locations, of which the last counts; an empty array is a failure.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        deviceFound(
            locations.last.map { location in
                { IONGLOCPositionModel(location, heading: $0) }
            }
        )
    }

    /// Called when the manager has failed.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        deviceFailed()
    }

    /// Called when the device has turned; the next position contains the heading.
    public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        compass.turn(to: HeadingReading(newHeading))
    }
}
#endif
