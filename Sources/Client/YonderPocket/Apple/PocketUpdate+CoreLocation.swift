#if canImport(CoreLocation)
package import CoreLocation
import YonderGeodesy
import YonderLocation

// What Core Location's live updates are to a pocket. `ApplePocketSystem.follow` calls this for each element, on the main
// actor; further conversions between the two belong here. Which flag becomes which failure is held by
// `ApplePocketSystemTests`, and shown by the app.
extension PocketUpdate {
    /// Makes an update from one element of Core Location's live updates.
    ///
    /// The position is `nil` if Core Location gave none, or one that isn't a ``YonderGeodesy/Position``; there may be
    /// neither a position nor a failure, and both a position and a failure.
    package init(_ update: CLLocationUpdate) {
        self.init(
            position: update.location.flatMap { Position($0) },
            isStationary: update.stationary,
            failure: update.failure
        )
    }
}

extension CLLocationUpdate {
    /// The failure: the first of *not allowed*, *location services are off* and *no position* that applies; `nil` for every
    /// other flag.
    fileprivate var failure: LocationError.Code? {
        if authorizationDenied || authorizationRestricted { return .notAuthorized }
        if authorizationDeniedGlobally { return .servicesDisabled }
        return locationUnavailable ? .positionUnavailable : nil
    }
}
#endif
