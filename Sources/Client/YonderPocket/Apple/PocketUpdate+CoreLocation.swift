#if canImport(CoreLocation)
package import CoreLocation
import YonderGeodesy
import YonderLocation

extension PocketUpdate {
    /// Converts one of Core Location's updates.
    package init(_ update: CLLocationUpdate) {
        self.init(
            position: update.location.flatMap { Position($0) },
            isStationary: update.stationary,
            failure: update.failure
        )
    }
}

extension CLLocationUpdate {
    fileprivate var failure: LocationError.Code? {
        if authorizationDenied || authorizationRestricted { return .notAuthorized }
        if authorizationDeniedGlobally { return .servicesDisabled }
        return locationUnavailable ? .positionUnavailable : nil
    }
}
#endif
