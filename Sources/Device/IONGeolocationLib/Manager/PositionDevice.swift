/// The device behind a wrapper: a Core Location manager, or a location service.
///
/// It calls the wrapper on the main thread.
protocol PositionDevice: AnyObject {
    var authorisation: IONGLOCAuthorisation { get }

    /// Sets the wrapper to call; called once, before any other method.
    func setOwner(_ owner: IONGLOCManagerWrapper)

    func areLocationServicesEnabled() -> Bool
    func requestAuthorisation(_ type: IONGLOCAuthorisationRequestType)
    func configure(_ configuration: IONGLOCConfigurationModel)
    func startMonitoring()
    func stopMonitoring()
    func requestOnce()

    /// Cancels a request for a single position.
    func giveUp()
}
