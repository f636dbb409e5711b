public import YonderLocation

/// What single requests and monitoring have in common.
public protocol IONGLOCLocationHandler {
    /// The position that became known last, or `nil` if there was none yet or the last attempt failed.
    var currentLocation: IONGLOCPositionModel? { get }

    /// Positions as they come from now on.
    ///
    /// It ends at the first failure; a later subscription starts afresh. All subscribers share one device, so a
    /// position that one asked for reaches all.
    var currentLocationPublisher: AnyPublisher<IONGLOCPositionModel, IONGLOCLocationError> { get }

    /// Tells ``IONGLOCLocationError/timeout`` whenever a request's time is over.
    ///
    /// It never ends.
    var locationTimeoutPublisher: AnyPublisher<IONGLOCLocationError, Never> { get }

    /// Changes how accurate positions have to be from now on, also while monitoring.
    func updateConfiguration(_ configuration: IONGLOCConfigurationModel)
}
