public import YonderLocation

/// The common part of single requests and monitoring.
public protocol IONGLOCLocationHandler {
    /// The last known position, or `nil` if there was none yet or the last attempt failed.
    var currentLocation: IONGLOCPositionModel? { get }

    /// Positions from now on.
    ///
    /// The publisher ends at the first failure; subscribe again to continue. All subscribers share one
    /// device, so a position that one of them requested is sent to all.
    var currentLocationPublisher: AnyPublisher<IONGLOCPositionModel, IONGLOCLocationError> { get }

    /// Sends ``IONGLOCLocationError/timeout`` whenever a request times out.
    ///
    /// The publisher never ends.
    var locationTimeoutPublisher: AnyPublisher<IONGLOCLocationError, Never> { get }

    /// Changes the accuracy of positions from now on, also while monitoring.
    func updateConfiguration(_ configuration: IONGLOCConfigurationModel)
}
