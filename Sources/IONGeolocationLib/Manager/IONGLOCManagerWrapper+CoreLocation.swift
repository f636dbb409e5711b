#if canImport(CoreLocation)
public import CoreLocation
import YonderLocation

extension IONGLOCManagerWrapper {
    /// Creates a wrapper over a Core Location manager, and becomes its delegate.
    ///
    /// - Parameters:
    ///   - locationManager: The manager, whose delegate and filters belong to the wrapper from now on.
    ///   - servicesChecker: Who says whether location services are on.
    public convenience init(
        locationManager: CLLocationManager = CLLocationManager(),
        servicesChecker: any IONGLOCServicesChecker = IONGLOCServicesValidator()
    ) {
        self.init(device: CoreLocationDevice(locationManager, servicesChecker: servicesChecker))
    }
}

extension IONGLOCManagerWrapper: CLLocationManagerDelegate {
    /// The manager's permission has changed.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        deviceChanged(IONGLOCAuthorisation(LocationAuthorization(manager.authorizationStatus)))
    }

    /// The manager has found locations, of which the last counts; none at all is a failure.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        deviceFound(
            locations.last.map { location in
                { IONGLOCPositionModel(location, heading: $0) }
            }
        )
    }

    /// The manager has failed.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        deviceFailed()
    }

    /// The device has turned: the next position says where to.
    public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        compass.turn(to: HeadingReading(newHeading))
    }
}
#endif
