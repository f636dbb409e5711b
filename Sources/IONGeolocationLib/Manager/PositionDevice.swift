/// What a wrapper drives: a Core Location manager, or a location service.
///
/// It tells the wrapper what happens, on the main thread.
protocol PositionDevice: AnyObject {
    var authorisation: IONGLOCAuthorisation { get }

    /// Says who is told what happens; called once, before anything else.
    func setOwner(_ owner: IONGLOCManagerWrapper)

    func areLocationServicesEnabled() -> Bool
    func requestAuthorisation(_ type: IONGLOCAuthorisationRequestType)
    func configure(_ configuration: IONGLOCConfigurationModel)
    func startMonitoring()
    func stopMonitoring()
    func requestOnce()

    /// A position that was asked for once isn't waited for any more.
    func giveUp()
}
