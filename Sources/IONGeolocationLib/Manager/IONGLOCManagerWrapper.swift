public import Foundation
public import YonderLocation

/// All that the device can be asked about where it is, over a Core Location manager or a location service.
///
/// Use it from the main thread, where its publishers tell what happens. After a timeout it waits: what the device
/// still finds is dropped, and ``startMonitoringLocation()`` does nothing, until a request with options is made.
public class IONGLOCManagerWrapper: NSObject, IONGLOCService {
    /// What this program may do now.
    @Published public var authorisationStatus: IONGLOCAuthorisation

    /// The position that became known last, or `nil` if there was none yet or the last attempt failed.
    @Published public var currentLocation: IONGLOCPositionModel?

    /// Which heading goes with the next position.
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

    /// What this program may do now, then every change of it.
    public var authorisationStatusPublisher: Published<IONGLOCAuthorisation>.Publisher {
        $authorisationStatus
    }

    /// Asks for permission and returns at once; ``authorisationStatusPublisher`` tells the answer.
    ///
    /// The app's `Info.plist` has to say why; see `Documentation/location-apps.md`. Linux has no prompt: there the
    /// service's source says what is permitted.
    public func requestAuthorisation(withType authorisationType: IONGLOCAuthorisationRequestType) {
        device.requestAuthorisation(authorisationType)
    }

    // MARK: Positions

    /// Positions as they come from now on, until the first failure; a later subscription starts afresh.
    ///
    /// A failure is always ``IONGLOCLocationError/locationUnavailable``.
    public var currentLocationPublisher: AnyPublisher<IONGLOCPositionModel, IONGLOCLocationError> {
        // A subscriber to the property gets what is known first, and isn't here for that.
        let changes = $currentLocation.dropFirst()
        return changes.tryMap(Self.found).mapError(Self.failure).eraseToAnyPublisher()
    }

    /// Tells ``IONGLOCLocationError/timeout`` whenever a request's time is over.
    ///
    /// It never ends.
    public var locationTimeoutPublisher: AnyPublisher<IONGLOCLocationError, Never> {
        timeouts.eraseToAnyPublisher()
    }

    /// Changes how accurate positions have to be from now on, also while monitoring.
    public func updateConfiguration(_ configuration: IONGLOCConfigurationModel) {
        device.configure(configuration)
    }

    /// Asks for one position and returns at once; the publishers tell what comes of it.
    ///
    /// While monitoring, the position that is known is told again at once, and the options' time doesn't matter.
    public func requestSingleLocation(options: IONGLOCRequestOptionsModel) {
        switch requests.requestSingle(isPositionKnown: currentLocation != nil) {
        case .repeatKnown:
            currentLocation = currentLocation
        case .ask:
            device.requestOnce()
            startCountdown(options)
        }
    }

    /// Starts to follow the device; if no position comes in the options' time, it stops by itself.
    public func startMonitoringLocation(options: IONGLOCRequestOptionsModel) {
        requests.startWithTimeout()
        startDevice()
        startCountdown(options)
    }

    /// Starts to follow the device, with no limit of time.
    ///
    /// Does nothing after a timeout.
    public func startMonitoringLocation() {
        if requests.start() { startDevice() }
    }

    /// Stops following the device.
    ///
    /// A request's time goes on counting.
    public func stopMonitoringLocation() {
        requests.stop()
        stopDevice()
    }

    // MARK: What the device tells

    /// What the program may do has changed, or is told again.
    func deviceChanged(_ authorisation: IONGLOCAuthorisation) {
        authorisationStatus = authorisation
    }

    /// The device was found, or wasn't if `nil`.
    ///
    /// - Parameter locate: The position with a heading, if that is known.
    func deviceFound(_ locate: ((HeadingReading?) -> IONGLOCPositionModel)?) {
        guard !requests.hasTimedOut else { return }
        guard let locate else { return deviceFailed() }
        countdown = nil
        compass.findPosition()
        currentLocation = locate(compass.reading)
    }

    /// The device couldn't be found.
    func deviceFailed() {
        countdown = nil
        compass.losePosition()
        currentLocation = nil
    }

    // MARK: Inside

    private func startDevice() {
        compass.isMonitoring = true
        device.startMonitoring()
    }

    private func stopDevice() {
        compass.isMonitoring = false
        device.stopMonitoring()
    }

    /// One clock for all requests: the latest one's time counts.
    private func startCountdown(_ options: IONGLOCRequestOptionsModel) {
        countdown = Countdown(milliseconds: options.timeout) { [weak self] in self?.timeOut() }
    }

    private func timeOut() {
        countdown = nil
        let wasMonitoring = requests.timeOut()
        device.giveUp()
        if wasMonitoring { stopDevice() }
        // Last, since a subscriber may ask anew.
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
