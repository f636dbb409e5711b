public import Foundation
public import YonderLocation

/// All operations for reading the device's location, over a Core Location manager or a location service.
///
/// An app or a plugin creates one, for a Core Location manager or a `LocationService`, and uses it from the main thread, on
/// which its publishers send their values. No function throws: a failure sets ``currentLocation`` to `nil` and ends the
/// subscriptions of ``currentLocationPublisher``, and a timeout is sent by ``locationTimeoutPublisher``. After a timeout,
/// positions from the device are dropped, and ``startMonitoringLocation()`` does nothing, until the next request with
/// options.
///
/// Monitoring and single requests share one device and one timeout, that of the latest request. What a call does in which
/// state is decided in `RequestState` (`RequestStateTests`), and the heading in `Compass`; both may be changed with their
/// tests. The public names and this behavior must stay: they are those of the library that this one replaces (`PluginTests`,
/// `make foreign-suite`).
public class IONGLOCManagerWrapper: NSObject, IONGLOCService {
    /// The permission of this program; every report of the device sets it, also an unchanged one.
    @Published public var authorisationStatus: IONGLOCAuthorisation

    /// The last known position, or `nil` if there was none yet or the last attempt failed.
    @Published public var currentLocation: IONGLOCPositionModel?

    /// Selects the heading for the next position; a `LocationService` gives headings with its positions and doesn't use it.
    var compass = Compass()

    private let device: any PositionDevice
    private let timeouts = PassthroughSubject<IONGLOCLocationError, Never>()
    private var requests = RequestState()
    private var countdown: Countdown?

    init(device: any PositionDevice) {
        self.device = device
        authorisationStatus = device.authorisation
        super.init()
        device.setOwner(self)
    }

    // MARK: Services and permission

    /// Whether the device gives positions to any program at all.
    public func areLocationServicesEnabled() -> Bool {
        device.areLocationServicesEnabled()
    }

    /// The permission of this program, then every change of it.
    public var authorisationStatusPublisher: Published<IONGLOCAuthorisation>.Publisher {
        $authorisationStatus
    }

    /// Requests permission and returns at once; ``authorisationStatusPublisher`` sends the answer.
    ///
    /// The app's `Info.plist` must give the reason; see `Documentation/location-apps.md`. Linux has no
    /// prompt: there the service's source reports its access.
    public func requestAuthorisation(withType authorisationType: IONGLOCAuthorisationRequestType) {
        device.requestAuthorisation(authorisationType)
    }

    // MARK: Positions

    /// Positions from now on, until the first failure; subscribe again to continue.
    ///
    /// A failure is always ``IONGLOCLocationError/locationUnavailable``.
    public var currentLocationPublisher: AnyPublisher<IONGLOCPositionModel, IONGLOCLocationError> {
        // The property first sends its present value, which isn't a new position.
        let changes = $currentLocation.dropFirst()
        return changes.tryMap(Self.found).mapError(Self.failure).eraseToAnyPublisher()
    }

    /// Sends ``IONGLOCLocationError/timeout`` whenever a request times out.
    ///
    /// The publisher never ends.
    public var locationTimeoutPublisher: AnyPublisher<IONGLOCLocationError, Never> {
        timeouts.eraseToAnyPublisher()
    }

    /// Changes the accuracy of positions from now on, also while monitoring.
    public func updateConfiguration(_ configuration: IONGLOCConfigurationModel) {
        device.configure(configuration)
    }

    /// Requests one position and returns at once; the publishers send the result.
    ///
    /// While monitoring, the last known position is sent again at once, and the options' timeout is ignored.
    public func requestSingleLocation(options: IONGLOCRequestOptionsModel) {
        switch requests.requestSingle(isPositionKnown: currentLocation != nil) {
        case .repeatKnown:
            currentLocation = currentLocation
        case .ask:
            device.requestOnce()
            startCountdown(options)
        }
    }

    /// Starts monitoring, and stops on its own if no position arrives within the options' timeout.
    public func startMonitoringLocation(options: IONGLOCRequestOptionsModel) {
        requests.startWithTimeout()
        startDevice()
        startCountdown(options)
    }

    /// Starts monitoring without a timeout.
    ///
    /// Does nothing after a timeout.
    public func startMonitoringLocation() {
        if requests.start() { startDevice() }
    }

    /// Stops monitoring.
    ///
    /// A request's timeout keeps running.
    public func stopMonitoringLocation() {
        requests.stop()
        stopDevice()
    }

    // MARK: Events of the device

    /// Call this when the permission was reported, changed or not.
    func deviceChanged(_ authorisation: IONGLOCAuthorisation) {
        authorisationStatus = authorisation
    }

    /// Call this when the device has a position, or has failed.
    ///
    /// - Parameter locate: Returns the position with a heading, if one is known; `nil` if no position was
    ///   found.
    func deviceFound(_ locate: ((HeadingReading?) -> IONGLOCPositionModel)?) {
        guard !requests.hasTimedOut else { return }
        guard let locate else { return deviceFailed() }
        countdown = nil
        compass.findPosition()
        currentLocation = locate(compass.reading)
    }

    /// Call this when the device couldn't be located.
    func deviceFailed() {
        countdown = nil
        compass.losePosition()
        currentLocation = nil
    }

    // MARK: Implementation

    private func startDevice() {
        compass.isMonitoring = true
        device.startMonitoring()
    }

    private func stopDevice() {
        compass.isMonitoring = false
        device.stopMonitoring()
    }

    /// One countdown serves all requests: the latest one's timeout counts.
    private func startCountdown(_ options: IONGLOCRequestOptionsModel) {
        countdown = Countdown(milliseconds: options.timeout) { [weak self] in self?.timeOut() }
    }

    private func timeOut() {
        countdown = nil
        let wasMonitoring = requests.timeOut()
        device.giveUp()
        if wasMonitoring { stopDevice() }
        // Last, since a subscriber may start a new request.
        timeouts.send(.timeout)
    }

    private static func found(_ position: IONGLOCPositionModel?) throws -> IONGLOCPositionModel {
        guard let position else { throw IONGLOCLocationError.locationUnavailable }
        return position
    }

    private static func failure(_ error: any Error) -> IONGLOCLocationError {
        error as? IONGLOCLocationError ?? .other(error)
    }
}
