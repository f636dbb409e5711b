#if canImport(CoreLocation)
package import CoreLocation
import YonderGeodesy
import YonderLocation

extension PocketUpdate {
    /// Makes an update from one element of Core Location's live updates, for the shells in `YonderPocket/Apple`.
    ///
    /// The position is `nil` if Core Location gave none, or one that isn't a ``YonderGeodesy/Position``; there may be neither a position nor a
    /// failure.
    package init(_ update: CLLocationUpdate) {
        self.init(
            position: update.location.flatMap { Position($0) },
            isStationary: update.stationary,
            failure: update.failure
        )
    }
}

extension CLLocationUpdate {
    /// The first that applies: the app isn't allowed to know the position, location services are switched off, there is no position.
    ///
    /// Other flags aren't failures.
    fileprivate var failure: LocationError.Code? {
        if authorizationDenied || authorizationRestricted { return .notAuthorized }
        if authorizationDeniedGlobally { return .servicesDisabled }
        return locationUnavailable ? .positionUnavailable : nil
    }
}
#endif
