#if canImport(CoreLocation)
import CoreLocation
import YonderLocation

/// A Core Location manager whose delegate is the wrapper itself: each call of the wrapper is one of the manager's.
///
/// The wrapper's Core Location initializer makes it, and the manager answers by the delegate methods in
/// `IONGLOCManagerWrapper+CoreLocation.swift`. The wrapper is the delegate, and not this object, because apps and their
/// tests call the wrapper's delegate methods (`make foreign-suite`).
final class CoreLocationDevice: PositionDevice {
    private let manager: CLLocationManager
    private let servicesChecker: any IONGLOCServicesChecker

    init(_ manager: CLLocationManager, servicesChecker: any IONGLOCServicesChecker) {
        self.manager = manager
        self.servicesChecker = servicesChecker
    }

    var authorisation: IONGLOCAuthorisation {
        IONGLOCAuthorisation(LocationAuthorization(manager.authorizationStatus))
    }

    func setOwner(_ owner: IONGLOCManagerWrapper) {
        manager.delegate = owner
        manager.headingFilter = Compass.filter
    }

    func areLocationServicesEnabled() -> Bool {
        servicesChecker.areLocationServicesEnabled()
    }

    func requestAuthorisation(_ type: IONGLOCAuthorisationRequestType) {
        manager.requestAuthorization(AuthorizationRequest(type))
    }

    func configure(_ configuration: IONGLOCConfigurationModel) {
        manager.setAccuracy(isHigh: configuration.enableHighAccuracy)
        if let distance = configuration.minimumUpdateDistanceInMeters {
            manager.distanceFilter = distance
        }
    }

    func startMonitoring() {
        manager.startMonitoring()
    }

    func stopMonitoring() {
        manager.stopMonitoring()
    }

    func requestOnce() {
        manager.requestLocation()
    }

    /// Does nothing: the manager ends a request on its own, with a location or a failure.
    func giveUp() {}
}
#endif
