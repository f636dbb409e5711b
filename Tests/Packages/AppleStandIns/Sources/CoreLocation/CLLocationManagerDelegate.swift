// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Who is told what a ``CLLocationManager`` finds.
///
/// Every method is optional. Where there is no Objective-C that takes two parts: each method has an implementation
/// that does nothing, and beside the methods there are properties of the same base name, optional and callable, so
/// that `delegate?.locationManager?(manager, didUpdateLocations: locations)` is read as on Apple's platforms. There
/// `locationManager?` is `nil` if the delegate has no such method; here it never is.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
}

extension CLLocationManagerDelegate {
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}

    public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}

    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}

    public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}

    public func locationManager(
        _ manager: CLLocationManager,
        didChangeAuthorization status: CLAuthorizationStatus
    ) {}

    public func locationManager(
        _ manager: CLLocationManager,
        didFinishDeferredUpdatesWithError error: (any Error)?
    ) {}

    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}

    public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { false }

    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}

    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
}

extension CLLocationManagerDelegate {
    /// The methods named `locationManager`, called with `?(`.
    public var locationManager: CLLocationManagerDelegateMethods? {
        CLLocationManagerDelegateMethods(delegate: self)
    }

    public var locationManagerDidChangeAuthorization: ((CLLocationManager) -> Void)? {
        { self.locationManagerDidChangeAuthorization($0) }
    }

    public var locationManagerShouldDisplayHeadingCalibration: ((CLLocationManager) -> Bool)? {
        { self.locationManagerShouldDisplayHeadingCalibration($0) }
    }

    public var locationManagerDidPauseLocationUpdates: ((CLLocationManager) -> Void)? {
        { self.locationManagerDidPauseLocationUpdates($0) }
    }

    public var locationManagerDidResumeLocationUpdates: ((CLLocationManager) -> Void)? {
        { self.locationManagerDidResumeLocationUpdates($0) }
    }
}

/// A delegate's methods that share the name `locationManager`, told apart by their labels.
public struct CLLocationManagerDelegateMethods {
    fileprivate let delegate: any CLLocationManagerDelegate

    public func callAsFunction(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        delegate.locationManager(manager, didUpdateLocations: locations)
    }

    public func callAsFunction(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        delegate.locationManager(manager, didUpdateHeading: newHeading)
    }

    public func callAsFunction(_ manager: CLLocationManager, didFailWithError error: any Error) {
        delegate.locationManager(manager, didFailWithError: error)
    }

    public func callAsFunction(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        delegate.locationManager(manager, didVisit: visit)
    }

    public func callAsFunction(
        _ manager: CLLocationManager,
        didChangeAuthorization status: CLAuthorizationStatus
    ) {
        delegate.locationManager(manager, didChangeAuthorization: status)
    }

    public func callAsFunction(
        _ manager: CLLocationManager,
        didFinishDeferredUpdatesWithError error: (any Error)?
    ) {
        delegate.locationManager(manager, didFinishDeferredUpdatesWithError: error)
    }
}
