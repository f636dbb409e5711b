public import YonderLocation

/// The common part of single requests and monitoring.
///
/// Another project has an iOS library named IONGeolocationLib, which plugins of Cordova and Capacitor call. This module has
/// that library's API, so that code written for it compiles unchanged, here over any source of `YonderLocation`. All names
/// and signatures of the protocol must stay therefore (`PluginTests`, `make foreign-suite`).
///
/// ``IONGLOCManagerWrapper`` is the only implementation; tests of an app may have their own. Apps and plugins call it on the
/// main thread, on which the publishers send. `AnyPublisher` is Combine's, and on Linux OpenCombine's
/// (`OpenCombine.swift`). Nothing throws: what goes wrong is sent by the publishers.
public protocol IONGLOCLocationHandler {
    /// The last known position, or `nil` if there was none yet or the last attempt failed.
    var currentLocation: IONGLOCPositionModel? { get }

    /// Positions from now on.
    ///
    /// The publisher ends at the first failure, which is ``IONGLOCLocationError/locationUnavailable``; subscribe again to
    /// continue. A timeout doesn't end it, and is sent by ``locationTimeoutPublisher`` alone. All subscribers share one
    /// device, so a position that one of them requested is sent to all.
    var currentLocationPublisher: AnyPublisher<IONGLOCPositionModel, IONGLOCLocationError> { get }

    /// Sends ``IONGLOCLocationError/timeout`` whenever a request times out.
    ///
    /// The publisher never ends.
    var locationTimeoutPublisher: AnyPublisher<IONGLOCLocationError, Never> { get }

    /// Changes the accuracy of positions from now on, also while monitoring.
    ///
    /// The minimum distance isn't checked: it is passed on to Core Location as it is, and a service takes one that isn't
    /// finite for none; `nil` leaves it as it was.
    func updateConfiguration(_ configuration: IONGLOCConfigurationModel)
}
