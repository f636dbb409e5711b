#if canImport(CoreLocation)
public import CoreLocation
import Foundation
import Synchronization

/// Positions from Core Location, on Apple's platforms.
///
/// It may be called from any thread. Its manager, which wants the thread that made it, is called on the main thread
/// alone: at once by who is there, otherwise as soon as the main thread is free. What the manager tells comes from
/// the main thread.
///
/// Headings go with positions: the latest that became known since the first position, and only while started. A
/// change of the heading alone is no new position.
public final class CoreLocationSource: LocationSource, @unchecked Sendable {
    // Safe because the manager is called on the main thread alone, and whatever changes is in the mutex.
    private let manager: CLLocationManager
    private let listener = CoreLocationListener()
    private let outlet = SourceOutlet()
    private let mainQueueMark = DispatchSpecificKey<Bool>()
    private let state: Mutex<CoreLocationState>

    /// Creates a source over a manager, and becomes its delegate.
    ///
    /// - Parameter manager: The manager, which from now on belongs to the source: its accuracy, filters and delegate
    ///   are the source's to set. Whatever else it has, such as background updates, stays as the app has set it.
    @MainActor
    public init(manager: CLLocationManager = CLLocationManager()) {
        self.manager = manager
        state = Mutex(CoreLocationState(authorization: LocationAuthorization(manager.authorizationStatus)))
        DispatchQueue.main.setSpecific(key: mainQueueMark, value: true)
        listener.source = self
        manager.headingFilter = Compass.filter
        manager.delegate = listener
    }

    deinit {
        guard state.withLock({ $0.isStarted }) else { return }
        // The app may keep the manager.
        let left = LeftManager(manager: manager)
        if isOnMainQueue { return left.stop() }
        DispatchQueue.main.async { left.stop() }
    }

    /// What the program may do now, as the system told last.
    public var authorization: LocationAuthorization {
        state.withLock { $0.authorization }
    }

    /// Whether location services are on for the device, as its settings say.
    ///
    /// Asks off the main thread, since the system may take its time.
    @concurrent
    public func areServicesEnabled() async -> Bool {
        type(of: manager).locationServicesEnabled()
    }

    /// Core Location begins with the last position that it knows, however old.
    public var mayBeginWithOldPosition: Bool { true }

    /// Says who is told, from the main thread.
    public func setReceiver(_ receiver: @escaping @Sendable (LocationSourceEvent) -> Void) {
        outlet.setReceiver(receiver)
    }

    /// Shows the system's prompt, if the person wasn't asked before.
    ///
    /// The app's `Info.plist` has to say why; without that the system shows nothing.
    public func requestAuthorization(_ request: AuthorizationRequest) {
        onMainThread { $0.requestAuthorization(request) }
    }

    /// Best accuracy or three kilometers, and the distance below which the system wakes nobody.
    public func configure(_ configuration: SourceConfiguration) {
        state.withLock { $0.wanted.configuration = configuration }
        catchUp()
    }

    /// Starts positions, and headings where the device has a compass.
    public func start() {
        state.withLock { $0.wanted.isStarted = true }
        catchUp()
    }

    /// Stops both.
    public func stop() {
        state.withLock { $0.wanted.isStarted = false }
        catchUp()
    }

    /// Brings the manager to what is wanted by then: calls from several threads may overtake each other.
    private func catchUp() {
        onMainThread { [self] manager in
            for action in state.withLock({ $0.nextActions() }) {
                switch action {
                case .configure(let configuration): manager.apply(configuration)
                case .start: manager.startMonitoring()
                case .stop: manager.stopMonitoring()
                }
            }
        }
    }

    private func onMainThread(_ action: @escaping @Sendable (CLLocationManager) -> Void) {
        guard !isOnMainQueue else { return action(manager) }
        DispatchQueue.main.async { [self] in action(manager) }
    }

    /// Whether the caller is where the main actor runs.
    ///
    /// In a program whose main function is asynchronous that need not be the main thread, so the queue is asked.
    private var isOnMainQueue: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueMark) == true
    }

    /// Takes note of something and tells the receiver what follows from it, if anything does.
    fileprivate func tell(_ note: (inout CoreLocationState) -> LocationSourceEvent?) {
        if let event = state.withLock({ note(&$0) }) { outlet.send(event) }
    }
}

/// A manager whose source is gone.
private struct LeftManager: @unchecked Sendable {
    // Safe because the manager is called on the main thread alone.
    let manager: CLLocationManager

    func stop() {
        manager.stopMonitoring()
    }
}

/// The manager's delegate, apart from the source so that its methods aren't the source's.
private final class CoreLocationListener: NSObject, CLLocationManagerDelegate {
    weak var source: CoreLocationSource?

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        let authorization = LocationAuthorization(manager.authorizationStatus)
        source?.tell { $0.authorizationChanged(to: authorization) }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        source?.tell { .positions($0.positions(at: locations)) }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        source?.tell { state in
            state.compass.turn(to: HeadingReading(newHeading))
            return nil
        }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        source?.tell { $0.failure(of: error) }
    }
}
#endif
