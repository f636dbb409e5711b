/// The device behind a wrapper: a Core Location manager (`CoreLocationDevice`), or a location service (`ServiceDevice`).
///
/// ``IONGLOCManagerWrapper`` alone calls it, on the main thread, and decides when by its `RequestState`. No function throws
/// or waits: the device answers on the main thread by the wrapper's `deviceFound(_:)`, `deviceFailed()` and
/// `deviceChanged(_:)`, the manager by way of its delegate, which is the wrapper.
///
/// A third device implements this protocol and adds an initializer of the wrapper. What holds for both devices is in
/// `ServiceWrapperTests` and, for Core Location's stand-ins, in `make test-apple`.
protocol PositionDevice: AnyObject {
    /// The permission at present; the one member that is read before ``setOwner(_:)``.
    var authorisation: IONGLOCAuthorisation { get }

    /// Sets the wrapper to call; the wrapper's initializer calls this once. The device holds the wrapper weakly.
    func setOwner(_ owner: IONGLOCManagerWrapper)

    /// Whether the machine gives positions to any program; a service's answer may be that of an earlier check.
    func areLocationServicesEnabled() -> Bool

    /// Asks for permission and returns at once; `deviceChanged(_:)` follows if the permission changes.
    func requestAuthorisation(_ type: IONGLOCAuthorisationRequestType)

    /// Changes accuracy and distance of positions from the next one on, also while it monitors.
    func configure(_ configuration: IONGLOCConfigurationModel)

    /// Starts sending every position to the wrapper; does nothing while it monitors.
    func startMonitoring()

    /// Stops sending positions, but for a single request; does nothing if it doesn't monitor.
    func stopMonitoring()

    /// Requests one position; one answer follows, also where an earlier request is unanswered.
    func requestOnce()

    /// Cancels a request for a single position, as far as the device can: a Core Location manager answers all the same.
    func giveUp()
}
